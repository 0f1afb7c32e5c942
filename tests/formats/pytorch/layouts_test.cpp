// Rows in PyTorch's order: words that leave it to the reader answer as words that say it by a permute.

#include "causeway/formats/pytorch/layouts.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/base/philox.h"
#include "causeway/formats/pytorch/reader.h"
#include "causeway/formats/pytorch/writer.h"
#include "causeway/nn/layer_list.h"
#include "causeway/nn/words.h"
#include "causeway/ops/build.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kImage = R"({"input": [3, 2, 4], "layers": [)";
constexpr std::string_view kSeries = R"({"input": [6, 4], "layers": [)";
constexpr std::string_view kVolume = R"({"input": [2, 3, 2, 4], "layers": [)";
constexpr std::string_view kRow = R"({"input": [5], "layers": [)";
constexpr std::string_view kConv =
    R"({"kind": "conv2d", "name": "c", "filters": 5, "kernel_size": 2, "padding": "same"},)";
constexpr std::string_view kHead = R"({"kind": "dense", "name": "head", "units": 3}]})";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all += part;
  return all;
}

struct Case {
  const char* name;
  std::string plain, said;  ///< The network, and the same with PyTorch's order said in its words.
  bool is_folded = true;    ///< Whether the order goes into slots, and the graph stays as it is.
};

constexpr std::string_view kFlatten = R"({"kind": "flatten", "name": "f"},)";
constexpr std::string_view kFirst = R"({"kind": "permute", "name": "p", "dims": [3, 1, 2]},)";

const Case kCases[] = {
    {"convolution", joined({kImage, kConv, kFlatten, kHead}), joined({kImage, kConv, kFirst, kFlatten, kHead})},
    {"input", joined({kImage, kFlatten, kHead}), joined({kImage, kFirst, kFlatten, kHead})},
    {"series",
     joined({kSeries, R"({"kind": "conv1d", "name": "c", "filters": 5, "kernel_size": 3}, "relu",)", kFlatten, kHead}),
     joined({kSeries, R"({"kind": "conv1d", "name": "c", "filters": 5, "kernel_size": 3}, "relu",)",
             R"({"kind": "permute", "name": "p", "dims": [2, 1]},)", kFlatten, kHead})},
    {"volume", joined({kVolume, R"({"kind": "max_pooling3d", "name": "m", "pool_size": [1, 2, 1]},)", kFlatten, kHead}),
     joined({kVolume, R"({"kind": "max_pooling3d", "name": "m", "pool_size": [1, 2, 1]},)",
             R"({"kind": "permute", "name": "p", "dims": [4, 1, 2, 3]},)", kFlatten, kHead})},
    {"norms_behind",
     joined({kImage, kConv, kFlatten,
             R"({"kind": "batch_normalization", "name": "n"}, {"kind": "prelu", "name": "r"},)",
             R"({"kind": "layer_normalization", "name": "l"},)", kHead}),
     joined({kImage, kConv, kFirst, kFlatten,
             R"({"kind": "batch_normalization", "name": "n"}, {"kind": "prelu", "name": "r"},)",
             R"({"kind": "layer_normalization", "name": "l"},)", kHead})},
    {"norms_before",
     joined({kImage, kConv,
             R"({"kind": "batch_normalization", "name": "n"}, "relu", {"kind": "dropout", "rate": 0.5},)", kFlatten,
             kHead}),
     joined({kImage, kConv,
             R"({"kind": "batch_normalization", "name": "n"}, "relu", {"kind": "dropout", "rate": 0.5},)", kFirst,
             kFlatten, kHead})},
    {"two_readers",
     joined({kImage, kConv, kFlatten,
             R"({"kind": "dense", "name": "a", "units": 2}, {"kind": "dense", "name": "b", "from": "f", "units": 2},)",
             R"({"kind": "add", "name": "s", "from": ["a", "b"]}]})"}),
     joined({kImage, kConv, kFirst, kFlatten,
             R"({"kind": "dense", "name": "a", "units": 2}, {"kind": "dense", "name": "b", "from": "f", "units": 2},)",
             R"({"kind": "add", "name": "s", "from": ["a", "b"]}]})"})},
    {"joined_before",
     joined({kImage, kConv, R"({"kind": "conv2d", "name": "d", "from": "input", "filters": 5, "kernel_size": 1},)",
             R"({"kind": "add", "name": "s", "from": ["c", "d"]},)", kFlatten, kHead}),
     joined({kImage, kConv, R"({"kind": "conv2d", "name": "d", "from": "input", "filters": 5, "kernel_size": 1},)",
             R"({"kind": "add", "name": "s", "from": ["c", "d"]},)", kFirst, kFlatten, kHead})},
    {"joined_behind",
     joined({kImage, kConv, kFlatten, R"({"kind": "flatten", "name": "g", "from": "input"},)",
             R"({"kind": "concatenate", "name": "s", "from": ["f", "g"]},)", kHead}),
     joined(
         {kImage, kConv, kFirst, kFlatten,
          R"({"kind": "permute", "name": "q", "from": "input", "dims": [3, 1, 2]}, {"kind": "flatten", "name": "g"},)",
          R"({"kind": "concatenate", "name": "s", "from": ["f", "g"]},)", kHead}),
     false},
    {"one_channel",
     joined({kImage, R"({"kind": "conv2d", "name": "c", "filters": 1, "kernel_size": 2},)", kFlatten, kHead}),
     joined({kImage, R"({"kind": "conv2d", "name": "c", "filters": 1, "kernel_size": 2},)", kFirst, kFlatten, kHead})},
    {"normalization_over_places",
     joined({kImage, kConv, R"({"kind": "layer_normalization", "name": "l", "axis": [1, 2, 3]},)", kFlatten, kHead}),
     joined({kImage, kConv, kFirst, R"({"kind": "layer_normalization", "name": "l", "axis": [1, 2, 3]},)", kFlatten,
             kHead})},
    {"generator",
     joined({kRow, R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "target_shape": [3, 2, 4]},)",
             R"({"kind": "conv2d", "name": "c", "filters": 2, "kernel_size": 2}]})"}),
     joined({kRow, R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "target_shape": [4, 3, 2]},)",
             R"({"kind": "permute", "dims": [2, 3, 1]},)",
             R"({"kind": "conv2d", "name": "c", "filters": 2, "kernel_size": 2}]})"})},
    {"generator_with_norms",
     joined({kRow,
             R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "batch_normalization", "name": "n"}, "relu",)",
             R"({"kind": "reshape", "target_shape": [3, 2, 4]},)",
             R"({"kind": "conv2d", "name": "c", "filters": 2, "kernel_size": 2}]})"}),
     joined({kRow,
             R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "batch_normalization", "name": "n"}, "relu",)",
             R"({"kind": "reshape", "target_shape": [4, 3, 2]}, {"kind": "permute", "dims": [2, 3, 1]},)",
             R"({"kind": "conv2d", "name": "c", "filters": 2, "kernel_size": 2}]})"})},
    {"generator_of_a_series",
     joined({kRow,
             R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "target_shape": [6, 4]}, "relu",)",
             R"({"kind": "conv1d", "name": "c", "filters": 2, "kernel_size": 2}]})"}),
     joined({kRow, R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "target_shape": [4, 6]},)",
             R"({"kind": "permute", "dims": [2, 1]}, "relu",)",
             R"({"kind": "conv1d", "name": "c", "filters": 2, "kernel_size": 2}]})"})},
    {"generator_whose_row_is_read_twice",
     joined(
         {kRow,
          R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "name": "s", "target_shape": [3, 2, 4]},)",
          R"({"kind": "conv2d", "name": "c", "filters": 3, "kernel_size": [3, 2]}, {"kind": "flatten", "name": "f"},)",
          R"({"kind": "dense", "name": "e", "from": "d", "units": 3}, {"kind": "add", "from": ["f", "e"]}]})"}),
     joined(
         {kRow, R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "target_shape": [4, 3, 2]},)",
          R"({"kind": "permute", "name": "s", "dims": [2, 3, 1]},)",
          R"({"kind": "conv2d", "name": "c", "filters": 3, "kernel_size": [3, 2]}, {"kind": "flatten", "name": "f"},)",
          R"({"kind": "dense", "name": "e", "from": "d", "units": 3}, {"kind": "add", "from": ["f", "e"]}]})"}),
     false},
    {"bottleneck",
     joined({kImage, kConv, kFlatten, R"({"kind": "dense", "name": "d", "units": 24}, "relu",)",
             R"({"kind": "reshape", "target_shape": [3, 2, 4]},)",
             R"({"kind": "conv2d", "name": "e", "filters": 2, "kernel_size": 2}]})"}),
     joined({kImage, kConv, kFirst, kFlatten, R"({"kind": "dense", "name": "d", "units": 24}, "relu",)",
             R"({"kind": "reshape", "target_shape": [4, 3, 2]}, {"kind": "permute", "dims": [2, 3, 1]},)",
             R"({"kind": "conv2d", "name": "e", "filters": 2, "kernel_size": 2}]})"})},
};

SavedNetwork network_of(const std::string& words) {
  SavedNetwork saved = network_of_words(std::string_view(words), "words", {.seed = 7});
  // Slots that start at 0 or 1 would hide an order.
  for (size_t i = 0; i < saved.network.slots().size(); ++i) {
    Slot& slot = saved.network.slots()[i];
    if (slot.role == Role::Constant) continue;
    const Draws draws(i, "numbers", 0);
    Tensor numbers = Tensor::uninitialized(DType::Float32, slot.numbers.lengths());
    const std::span<float> to = numbers.mutable_values<float>();
    for (size_t k = 0; k < to.size(); ++k) to[k] = draws.uniform(k, 0.25, 1.25);
    slot.assign(std::move(numbers));
  }
  return saved;
}

Tensor some_rows(const SavedNetwork& saved) {
  std::vector<int64_t> lengths{3};
  const Shape& shape = saved.network.inputs()[0].value.shape();
  for (size_t axis = 1; axis < shape.rank(); ++axis) lengths.push_back(shape[axis].number());
  Tensor rows = Tensor::uninitialized(DType::Float32, lengths);
  const std::span<float> to = rows.mutable_values<float>();
  for (size_t k = 0; k < to.size(); ++k) to[k] = Draws(7, "rows", 0).uniform(k, -1, 1);
  return rows;
}

void expect_near(const Tensor& got, const Tensor& right) {
  ASSERT_EQ(got.lengths(), right.lengths());
  for (int64_t i = 0; i < right.size(); ++i) {
    EXPECT_NEAR(got.number_at(i), right.number_at(i), 1e-5 * (1 + std::abs(right.number_at(i)))) << i;
  }
}

// What the words with a permute in them write is read by those without as PyTorch's.
void expect_the_permute(const std::string& plain_words, const std::string& said_words) {
  const SavedNetwork said = network_of(said_words), plain = network_of(plain_words);
  const tests::TemporaryFolder folder;
  write_state(said.network, folder.file("said"));
  const SavedNetwork read = PytorchReader().read(ByteSource::open(folder.file("said")), {.network = &plain.network});
  const Tensor rows = some_rows(said);
  expect_near(predict(read, rows, reference_engine()), predict(said, rows, reference_engine()));
}

class RowOrder : public testing::TestWithParam<Case> {};

TEST_P(RowOrder, IsThatWhichAPermuteSays) { expect_the_permute(GetParam().plain, GetParam().said); }

TEST_P(RowOrder, StaysInTheGraphWhereNoSlotTakesIt) {
  EXPECT_EQ(layouts_of(network_of(GetParam().plain).network).network.has_value(), !GetParam().is_folded);
  EXPECT_FALSE(layouts_of(network_of(GetParam().said).network).network.has_value());
}

TEST_P(RowOrder, IsWrittenAsItWasRead) {
  const SavedNetwork said = network_of(GetParam().said), plain = network_of(GetParam().plain);
  const tests::TemporaryFolder folder;
  write_state(said.network, folder.file("said"));
  const SavedNetwork read = PytorchReader().read(ByteSource::open(folder.file("said")), {.network = &plain.network});
  write_state(read.network, folder.file("again"));
  EXPECT_EQ(tests::bytes_of(folder.file("said")), tests::bytes_of(folder.file("again")));
}

INSTANTIATE_TEST_SUITE_P(Networks, RowOrder, testing::ValuesIn(kCases), tests::by_name);

// A layer of images that gives images: PyTorch's stands on channels first, and the row behind it too.
std::vector<std::string> layers_between() {
  std::vector<std::string> layers{
      R"({"kind": "up_sampling2d", "interpolation": "bilinear"})",
      R"({"kind": "resizing", "height": 5, "width": 3})",
      R"({"kind": "resizing", "height": 2, "width": 3, "interpolation": "nearest"})",
      R"({"kind": "adaptive_average_pooling2d", "output_size": [2, 1]})",
      R"({"kind": "adaptive_max_pooling2d", "output_size": [2, 1]})",
      R"({"kind": "center_crop", "height": 2, "width": 1})",
      R"({"kind": "cropping2d", "cropping": [[1, 0], [0, 0]]})",
      R"({"kind": "pad2d", "padding": 1, "mode": "reflect"})",
      R"({"kind": "slice", "axis": 1, "start": 1})",
      R"({"kind": "slice", "axis": -1, "start": 1})",
      R"({"kind": "softmax", "axis": 1})",
      R"({"kind": "group_normalization", "groups": 5})",
      R"({"kind": "group_normalization", "groups": 1})",
      R"({"kind": "conv2d_transpose", "filters": 3, "kernel_size": 2})",
      R"({"kind": "depthwise_conv2d", "kernel_size": 2})",
      R"({"kind": "separable_conv2d", "filters": 3, "kernel_size": 2})",
      R"({"kind": "average_pooling2d", "pool_size": [2, 1]})",
      R"({"kind": "spatial_dropout2d", "rate": 0.5})",
      R"({"kind": "prelu", "shared_axes": [1, 2]})",
  };
  const tests::TemporaryFolder folder;
  for (const nn::LayerRow& row : nn::all_layers()) {
    const std::string layer = R"({"kind": ")" + std::string(row.word) + R"("})";
    try {
      const SavedNetwork saved = network_of(joined({kImage, kConv, layer, "]}"}));
      write_state(saved.network, folder.file("state"));
      if (saved.network.outputs().size() == 1 && saved.network.outputs()[0].value.shape().rank() == 4)
        layers.push_back(layer);
    } catch (const Refused&) {
      // It takes no image, is nothing without settings, or nothing of PyTorch's.
    }
  }
  return layers;
}

TEST(RowOrder, IsKeptByEveryLayerBetween) {
  for (const std::string& layer : layers_between()) {
    SCOPED_TRACE(layer);
    expect_the_permute(joined({kImage, kConv, layer, ",", kFlatten, kHead}),
                       joined({kImage, kConv, layer, ",", kFirst, kFlatten, kHead}));
  }
}

TEST(RowOrder, IsKeptByEveryLayerBetweenOfASeries) {
  constexpr std::string_view kConv1d = R"({"kind": "conv1d", "name": "c", "filters": 5, "kernel_size": 3},)",
                             kChannelsFirst = R"({"kind": "permute", "name": "p", "dims": [2, 1]},)";
  for (const char* layer : {R"("up_sampling1d")", R"({"kind": "adaptive_average_pooling1d", "output_size": 3})",
                            R"({"kind": "adaptive_max_pooling1d", "output_size": 3})"}) {
    SCOPED_TRACE(layer);
    expect_the_permute(joined({kSeries, kConv1d, layer, ",", kFlatten, kHead}),
                       joined({kSeries, kConv1d, layer, ",", kChannelsFirst, kFlatten, kHead}));
  }
}

TEST(RowOrder, OfTwoByTwoByThreePlaces) {
  const SavedNetwork saved =
      network_of(R"({"input": [2, 2, 3], "layers": ["flatten", {"kind": "dense", "units": 1}]})");
  const Turn turn = layouts_of(saved.network).turns.at("1.weight");
  std::vector<float> places(12);
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<float>(i);
  EXPECT_THAT(turn.to_slot(Tensor::of<float>({1, 12}, places)).values<float>(),
              ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
}

TEST(RowOrder, OfANetworkThatEndsInTheRowIsTheWords) {
  const SavedNetwork saved = network_of(joined({kImage, kConv, R"("flatten"]})"}));
  const Layouts layouts = layouts_of(saved.network);
  EXPECT_FALSE(layouts.network.has_value());
  EXPECT_THAT(layouts.faults, IsEmpty());
}

struct Unknown {
  const char* name;
  std::string words;
  std::map<std::string, std::string, std::less<>> flattened;
  std::vector<std::string> lines;
};
const Unknown kUnknown[] = {
    {"series",
     joined({kSeries, kFlatten, kHead}),
     {},
     {"slot 'head.weight': 'head.weight' reads the row flatten 'f' makes of [6, 4], and whether those are steps by "
      "channels is not known. State it: flattened = {\"f\": \"series\"} or {\"f\": \"rows\"}."}},
    {"reshaped",
     joined({kRow, R"({"kind": "dense", "name": "d", "units": 24}, {"kind": "reshape", "target_shape": [6, 4]},)",
             kFlatten, kHead}),
     {},
     {"slot 'head.weight': 'head.weight' reads the row flatten 'f' makes of [6, 4], and whether those are steps by "
      "channels is not known. State it: flattened = {\"f\": \"series\"} or {\"f\": \"rows\"}."}},
    {"contradiction",
     joined({kImage, kConv, kFlatten, kHead}),
     {{"f", "13,13,4"}},
     {"flatten 'f': flatten 'f' is handed [3, 2, 5] here, and is stated as [13, 13, 4]."}},
    {"no_statement",
     joined({kImage, kConv, kFlatten, kHead}),
     {{"f", "13x13"}},
     {"flatten 'f': flatten 'f' is stated as '13x13', and a shape such as 26,26,4, 'series' or 'rows' is read."}},
    {"no_flatten",
     joined({kImage, kConv, kFlatten, kHead}),
     {{"g", "rows"}},
     {"flattened 'g': 'g' is no flatten whose order of numbers matters here."}},
};
class RowOrderUnknown : public testing::TestWithParam<Unknown> {};
TEST_P(RowOrderUnknown, IsRefused) {
  const SavedNetwork saved = network_of(GetParam().words);
  const tests::TemporaryFolder folder;
  EXPECT_THAT(tests::refusal_of([&] { write_state(saved.network, folder.file("a"), GetParam().flattened); }),
              testing::ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Networks, RowOrderUnknown, testing::ValuesIn(kUnknown), tests::by_name);

TEST(RowOrder, OfASeriesIsWhatIsStated) {
  const SavedNetwork saved = network_of(joined({kSeries, kFlatten, kHead}));
  const auto turn_of = [&](const char* statement) {
    return layouts_of(saved.network, {{"f", statement}}).turns.at("head.weight").moves.size();
  };
  EXPECT_EQ(turn_of("rows"), 1u);
  EXPECT_EQ(turn_of("series"), 2u);
  EXPECT_EQ(turn_of("6,4"), 2u);
  EXPECT_EQ(layouts_of(saved.network, {{"head", "series"}}).turns.at("head.weight").moves.size(), 2u);
}

TEST(Layouts, LeaveAModulesOwnSlotAsItStands) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value rows = builder.input("rows", {DType::Float32, {Dim::named("N"), 2}}, "NC");
  {
    const ScopeGuard scope = builder.scope("own", "Module");
    const Value shift = builder.declare({.path = "own.shift", .numbers = Tensor(DType::Float32, {3})});
    const Value mix = builder.declare({.path = "own.mix", .numbers = Tensor(DType::Float32, {2, 3})});
    builder.output("output", ops::add(ops::matmul(rows, mix), shift));
  }
  Graph graph = std::move(builder).finish();
  const Layouts layouts = layouts_of(Network(std::move(graph), std::move(slots)));
  EXPECT_THAT(layouts.faults, IsEmpty());
  EXPECT_TRUE(layouts.turns.at("own.shift").is_identity());
  EXPECT_TRUE(layouts.turns.at("own.mix").is_identity());
}

TEST(Layouts, RefuseAModulesOwnSlotBesidePlaces) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value image = builder.input("image", {DType::Float32, {Dim::named("N"), 3, 3, 2}}, "NHWC");
  {
    const ScopeGuard scope = builder.scope("own", "Module");
    const Value shift = builder.declare({.path = "own.shift", .numbers = Tensor(DType::Float32, {2})});
    builder.output("output", ops::add(image, shift));
  }
  Graph graph = std::move(builder).finish();
  EXPECT_THAT(
      layouts_of(Network(std::move(graph), std::move(slots))).faults,
      ElementsAre(Fault{"slot 'own.shift'",
                        "'own.shift' is [2] and joined to [N, 3, 3, 2], whose places stand elsewhere in PyTorch: "
                        "how its own axes stand there is not known. Join it to rows, or use a layer for it."}));
}

}  // namespace
}  // namespace causeway::formats::pytorch
