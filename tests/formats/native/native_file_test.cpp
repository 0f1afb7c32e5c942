#include "causeway/formats/native/native_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "causeway/base/sha256.h"
#include "causeway/formats/keras/keras.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/formats/safetensors/writer.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "causeway/ops/build.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::native {
namespace {

using safetensors::Metadata;
using safetensors::WrittenTensor;
using testing::ElementsAreArray;

ByteSource opened(const std::string& path) { return ByteSource::open(path); }

// A native file taken apart, to be changed and put together again with a checksum that fits.
struct Parts {
  Metadata metadata;
  std::vector<WrittenTensor> tensors;

  static Parts of(const std::string& path) {
    const safetensors::SafetensorsFile file = safetensors::read_safetensors(opened(path));
    Parts parts{file.metadata, {}};
    std::erase_if(parts.metadata, [](const auto& entry) { return entry.first == "causeway.checksum"; });
    for (const auto& stored : file.tensors) parts.tensors.push_back({stored.name, stored.tensor(), {}});
    return parts;
  }

  std::string& at(std::string_view key) {
    const auto found =
        std::find_if(metadata.begin(), metadata.end(), [&](const auto& entry) { return entry.first == key; });
    return found == metadata.end() ? metadata.emplace_back(key, "").second : found->second;
  }
  void replace(std::string_view key, std::string_view from, std::string_view to) {
    std::string& text = at(key);
    const size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
  }

  // SHA-256 of the data, then of each tensor by name (name, dtype, lengths, begin, end), then of the metadata by key;
  // texts behind their length, numbers as 8 bytes.
  std::string checksum() const {
    Sha256 hash;
    uint64_t at = 0;
    std::map<std::string, std::function<void()>> by_name;
    const auto text = [&](std::string_view words) {
      hash.add_u64(words.size());
      hash.add(words);
    };
    for (const WrittenTensor& tensor : tensors) {
      hash.add(tensor.numbers.bytes());
      const uint64_t end = at + tensor.numbers.size_bytes();
      by_name[tensor.name] = [&hash, &tensor, text, at, end] {
        text(tensor.name);
        text(safetensors::kind_of(tensor.numbers.dtype()).name);
        for (const int64_t length : tensor.numbers.lengths()) hash.add_u64(static_cast<uint64_t>(length));
        hash.add_u64(at);
        hash.add_u64(end);
      };
      at = end;
    }
    for (const auto& [name, add] : by_name) add();
    for (const auto& [key, value] : std::map<std::string, std::string>(metadata.begin(), metadata.end())) {
      text(key);
      text(value);
    }
    return hex(hash.finish());
  }

  void write(const std::string& path, bool sealed = true) const {
    Metadata all = metadata;
    if (sealed) all.emplace_back("causeway.checksum", checksum());
    safetensors::write_safetensors(path, all, tensors,
                                   {.header_multiple = 64, .order = safetensors::TensorOrder::AsGiven});
  }
};

TEST(Native, ReadsWhatVersion1WroteFirst) {
  const SavedNetwork saved = read_native(opened(tests::fixture("native/dense.causeway"))).saved;
  const SavedNetwork keras = keras::KerasImporter().read(opened(tests::fixture("titanic/dense.keras")), {});
  EXPECT_EQ(saved.format, "causeway");
  EXPECT_EQ(saved.network.graph().text(), keras.network.graph().text());
  ASSERT_EQ(saved.network.slots().size(), keras.network.slots().size());
  for (size_t i = 0; i < keras.network.slots().size(); ++i) {
    const Slot& slot = keras.network.slots()[i];
    EXPECT_TRUE(saved.network.slots().at(slot.path).numbers.same_bits(slot.numbers)) << slot.path;
  }
  EXPECT_EQ(saved.losses.at("dense_1").name(), "binary_crossentropy");
  const NativeFile trained = read_native(opened(tests::fixture("native/titanic.causeway")));
  EXPECT_EQ(trained.documents.size(), 3u);
  EXPECT_EQ(trained.saved.features.size(), 14u);
}

TEST(Native, IsSealedAsItsPageSays) {
  const tests::TemporaryFolder folder;
  for (const char* file : {"native/dense.causeway", "native/titanic.causeway"}) {
    Parts::of(tests::fixture(file)).write(folder.file("again"));
    EXPECT_NO_THROW(read_native(opened(folder.file("again")))) << file;
  }
}

TEST(Native, KeepsEveryRuleOfASlot) {
  SavedNetwork saved{.network = Sequential({4}).dense(3).batch_normalization().relu().dense(1).build(7)};
  saved.losses.emplace("output", Loss(BinaryCrossentropy{.label_smoothing = 0.125}, {.weight = 0.5f}));
  saved.features = {"a", "b", "c", "d"};
  saved.network.layer("0").hold();
  Slot& last = saved.network.slots().at("3.weight");
  last.penalty = {0.5f, 0.25f};
  last.max_norm = Bound{3, {0}};
  const tests::TemporaryFolder folder;
  write_native({.saved = saved}, folder.file("a"));
  const SavedNetwork again = read_native(opened(folder.file("a"))).saved;
  EXPECT_EQ(again.features, saved.features);
  EXPECT_TRUE(again.losses.at("output") == saved.losses.at("output"));
  for (size_t i = 0; i < saved.network.slots().size(); ++i) {
    const Slot &before = saved.network.slots()[i], &after = again.network.slots()[i];
    EXPECT_EQ(after.path, before.path);
    EXPECT_EQ(after.role, before.role);
    EXPECT_EQ(after.held, before.held);
    EXPECT_EQ(after.penalty, before.penalty);
    EXPECT_EQ(after.max_norm, before.max_norm);
    EXPECT_TRUE(after.numbers.same_bits(before.numbers)) << before.path;
  }
}

TEST(Native, KeepsHalvesAsTheyRound) {
  SavedNetwork saved{.network = Sequential({2}).dense(1).build(7)};
  const tests::TemporaryFolder folder;
  write_native({.saved = saved}, folder.file("a"), {.half = true});
  const SavedNetwork again = read_native(opened(folder.file("a"))).saved;
  const Slot& slot = saved.network.slots().at("0.weight");
  const Tensor rounded = slot.numbers.converted(DType::Float16).converted(DType::Float32);
  EXPECT_TRUE(again.network.slots().at("0.weight").numbers.same_bits(rounded));
  EXPECT_THAT(again.notes, testing::ElementsAre("its slots are kept in half precision, and are widened here."));
  EXPECT_TRUE(again.kept_in_half);
  // Written again, it is wide.
  write_native({.saved = again}, folder.file("b"));
  EXPECT_FALSE(read_native(opened(folder.file("b"))).saved.kept_in_half);
}

TEST(Native, IsNotWrittenWithNumbersThatAreNotFinite) {
  SavedNetwork saved{.network = Sequential({2}).dense(1).build(7)};
  const auto with = [&](float number) {
    saved.network.slots().at("0.weight").assign(Tensor::of<float>({2, 1}, {1, number}));
  };
  const tests::TemporaryFolder folder;
  with(std::numeric_limits<float>::infinity());
  EXPECT_THAT(tests::refusal_of([&] { write_native({.saved = saved}, folder.file("a")); }),
              testing::ElementsAre("slot '0.weight': element 1 is inf, and a slot is written finite."));
  with(1e6f);
  EXPECT_THAT(tests::refusal_of([&] { write_native({.saved = saved}, folder.file("a"), {.half = true}); }),
              testing::ElementsAre("slot '0.weight': element 1 is inf, and a slot is written finite."));
  EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
}

struct Case {
  const char* name;
  std::function<void(Parts&)> change;
  std::vector<std::string> lines;

  friend void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }
};

std::function<void(Parts&)> network(const char* from, const char* to) {
  return [=](Parts& parts) { parts.replace("causeway.network", from, to); };
}
std::function<void(Parts&)> loss(const char* text) {
  return [=](Parts& parts) { parts.at("causeway.loss") = text; };
}
std::function<void(Parts&)> tensor(const char* name, Tensor numbers) {
  return [=](Parts& parts) { parts.tensors.push_back({name, numbers, {}}); };
}

const Case kRefused[] = {
    {"newer_version",
     [](Parts& parts) { parts.at("causeway.version") = "2"; },
     {"causeway.version: it is '2', and version 1 is read here. Read it with a newer causeway."}},
    {"unknown_key",
     [](Parts& parts) { parts.at("causeway.historie") = "{}"; },
     {"header: it holds the key 'causeway.historie', which is not known. The nearest is 'causeway.history'."}},
    {"no_network",
     [](Parts& parts) {
       std::erase_if(parts.metadata, [](const auto& entry) { return entry.first == "causeway.network"; });
     },
     {"header: its 'causeway.network' is missing."}},
    {"no_json",
     [](Parts& parts) { parts.at("causeway.network") = "{"; },
     {"causeway.network, line 1:2: the end of the text stands where a key in double quotes is expected."}},
    {"network_that_is_a_list",
     [](Parts& parts) { parts.at("causeway.network") = "[]"; },
     {"causeway.network: its 'slots' are missing."}},
    {"unknown_network_key",
     network("\"scopes\":", "\"colour\":1,\"scopes\":"),
     {"causeway.network: it holds 'colour', which is not known. Known are 'inputs', 'outputs', 'scopes', 'nodes', "
      "'slots', 'words', 'features'."}},
    {"misspelt_network_key",
     network("\"scopes\":", "\"features_\":1,\"scopes\":"),
     {"causeway.network: it holds 'features_', which is not known. The nearest is 'features'."}},
    {"version_that_is_no_number",
     [](Parts& parts) { parts.at("causeway.version") = "one"; },
     {"causeway.version: it is 'one', and version 1 is read here. Read it with a newer causeway."}},
    {"key_twice_in_json",
     network("\"scopes\":", "\"slots\":[],\"scopes\":"),
     {"causeway.network, line 1:829: the key 'slots' stands in this object already, at line 1:201."}},
    {"key_twice_deep_in_json",
     network("\"transpose_a\":false", "\"transpose_a\":false,\"transpose_a\":true"),
     {"causeway.network, line 1:454: the key 'transpose_a' stands in this object already, at line 1:434."}},
    {"json_deeper_than_64",
     [](Parts& parts) { parts.at("causeway.rows") = std::string(65, '[') + std::string(65, ']'); },
     {"causeway.rows, line 1:65: the value is nested deeper than the 64 levels that are read."}},
    {"unknown_op",
     network("\"op\":\"MatMul\"", "\"op\":\"MatMull\""),
     {"node 0: no op is named 'MatMull'. The nearest is 'MatMul'."}},
    {"unknown_setting",
     network("\"transpose_a\":false", "\"transposed\":false"),
     {"node 0: MatMul has no setting 'transposed'. The nearest is 'transpose_a'."}},
    {"setting_of_another_kind",
     network("\"transpose_a\":false", "\"transpose_a\":\"no\""),
     {"node 0: setting 'transpose_a' is no, and true or false is read there."}},
    {"unknown_value",
     network("[\"%0\",\"slot/dense.bias\"]", "[\"%7\",\"slot/dense.bias\"]"),
     {"node 1: nothing above it makes the value '%7'."}},
    {"unknown_slot",
     network("[\"%0\",\"slot/dense.bias\"]", "[\"%0\",\"slot/dense.bian\"]"),
     {"node 1: nothing above it makes the value 'slot/dense.bian'."}},
    {"input_too_many",
     network("[\"%0\",\"slot/dense.bias\"]", "[\"%0\",\"slot/dense.bias\",\"%0\"]"),
     {"node 1: it has 3 inputs, and 2 inputs are expected."}},
    {"misfit",
     network("slot/dense_1.weight", "slot/dense.weight"),
     {"node 3: the operands are [N, 16] and [14, 16], and 16 columns meet 14 rows."}},
    {"two_faults",
     [](Parts& parts) {
       network("\"op\":\"Relu\"", "\"op\":\"Reul\"")(parts);
       network("\"op\":\"Add\"", "\"op\":\"Ad\"")(parts);
     },
     {"node 1: no op is named 'Ad'. The nearest is 'Add'.", "node 2: no op is named 'Reul'. The nearest is 'Relu'."}},
    {"scope_that_is_none", network("\"scope\":2", "\"scope\":3"), {"node 3: its scope is none of the list."}},
    {"door_that_is_a_number",
     network("\"inputs\":[{", "\"inputs\":[1,{"),
     {"network: an object is read where a number stands."}},
    {"unknown_dtype",
     network("\"dtype\":\"float32\"", "\"dtype\":\"float31\""),
     {"network: input 'input_layer' has no dtype that is known."}},
    {"odd_length",
     network("[\"N\",14]", "[\"N\",-14]"),
     {"network: a length is a number of at least 0, a formula, or null."}},
    {"output_twice",
     network(
         "\"outputs\":[{",
         "\"outputs\":[{\"name\":\"dense_1\",\"dtype\":\"float32\",\"shape\":null,\"axes\":\"\",\"value\":\"%0\"},{"),
     {"network: output 'dense_1' is there twice."}},
    {"slot_without_numbers",
     network("{\"path\":\"dense_1.bias\"", "{\"path\":\"more\",\"role\":\"learned\"},{\"path\":\"dense_1.bias\""),
     {"slot 'more': the file holds no tensor of its name."}},
    {"slot_twice",
     network("{\"path\":\"dense_1.bias\"", "{\"path\":\"dense.bias\",\"role\":\"learned\"},{\"path\":\"dense_1.bias\""),
     {"slot 'dense.bias': it is there twice."}},
    {"slot_of_a_reserved_name",
     network("{\"path\":\"dense_1.bias\"", "{\"path\":\"@a\",\"role\":\"learned\"},{\"path\":\"dense_1.bias\""),
     {"slot 3: its path is '@a', which no slot has."}},
    {"unknown_role",
     network("\"role\":\"learned\"", "\"role\":\"lerned\""),
     {"slot 0: its role is 'lerned', and learned, measured or constant is read."}},
    {"further_name_twice",
     network("\"role\":\"learned\"", "\"also\":[\"b\",\"b\"],\"role\":\"learned\""),
     {"slot 'dense.weight': its further name 'b' is taken."}},
    {"penalty_below_nought",
     network("\"role\":\"learned\"", "\"penalty\":[-1.0,0.0],\"role\":\"learned\""),
     {"slot 0: it holds -1, and a finite number of at least 0 is read."}},
    {"bound_of_no_axis",
     network("\"role\":\"learned\"", "\"bound\":{\"limit\":1.0,\"axes\":[2]},\"role\":\"learned\""),
     {"slot 'dense.weight': 'bound' is 2, and the range here is [-2, 1]."}},
    {"features_that_are_numbers",
     network("\"scopes\":", "\"features\":[1],\"scopes\":"),
     {"causeway.network: one of its 'features' is no text."}},
    {"other_words",
     network("\"scopes\":", "\"words\":\"{\\\"input\\\": [14], \\\"layers\\\": [\\\"relu\\\"]}\",\"scopes\":"),
     {"causeway.network: its 'words' say another network than its nodes."}},
    {"unknown_loss",
     loss("{\"kind\":\"guess\"}"),
     {"causeway.loss, line 1:9: 'guess' is no loss. Known are binary_crossentropy, binary_focal_crossentropy, "
      "categorical_crossentropy, earth_movers_distance, hinge, huber, mean_absolute_error, mean_squared_error, "
      "poisson, "
      "sparse_categorical_crossentropy."}},
    {"another_activation",
     loss("{\"kind\":\"binary_crossentropy\",\"activation\":\"Softmax\"}"),
     {"causeway.loss, line 1:44: binary_crossentropy goes with a Sigmoid, and \"Softmax\" stands here."}},
    {"loss_of_no_output",
     loss("{\"other\":{\"kind\":\"binary_crossentropy\"}}"),
     {"causeway.loss: the network has no output 'other'."}},
    {"loss_that_is_a_number", loss("3"), {"causeway.loss: it is no loss, and no object of losses by output."}},
    {"tensor_of_no_slot",
     tensor("more", Tensor(DType::Float32, {1})),
     {"tensor 'more': no part of the file mentions it."}},
    {"memory_of_no_slot",
     tensor("@memory/more/exp_avg", Tensor(DType::Float32, {1})),
     {"tensor '@memory/more/exp_avg': no part of the file mentions it."}},
    {"memory_misshapen",
     tensor("@memory/dense.bias/exp_avg", Tensor(DType::Float32, {15})),
     {"tensor '@memory/dense.bias/exp_avg': it is float32 [15], and its slot is [16]."}},
    {"memory_of_another_dtype",
     tensor("@memory/dense.bias/exp_avg", Tensor(DType::Int32, {16})),
     {"tensor '@memory/dense.bias/exp_avg': it is int32 [16], and its slot is [16]."}},
    {"best_misshapen",
     tensor("@best/dense.bias", Tensor(DType::Float32, {1})),
     {"tensor '@best/dense.bias': it is float32 [1], and its slot is [16]."}},
    {"tensor_of_another_reserved_name",
     tensor("@other/dense.bias", Tensor(DType::Float32, {16})),
     {"tensor '@other/dense.bias': no part of the file mentions it."}},
    {"not_finite",
     [](Parts& parts) {
       for (WrittenTensor& each : parts.tensors) {
         if (each.name == "dense_1.bias")
           each.numbers = Tensor::of<float>({1}, {std::numeric_limits<float>::quiet_NaN()});
       }
     },
     {"tensor 'dense_1.bias': 'dense_1.bias' holds nan at [0], and a slot holds finite numbers."}},
    {"missing_tensor",
     [](Parts& parts) {
       std::erase_if(parts.tensors, [](const WrittenTensor& each) { return each.name == "dense_1.bias"; });
     },
     {"slot 'dense_1.bias': the file holds no tensor of its name."}},
    {"misshapen_tensor",
     [](Parts& parts) {
       for (WrittenTensor& each : parts.tensors) {
         if (each.name == "dense_1.bias") each.numbers = Tensor(DType::Float32, {2});
       }
     },
     {"network: output 'dense_1' is float32 [N, 2], and it is stated to be float32 [N, 1]."}},
    {"name_with_a_line_of_its_own",
     network("\"transpose_a\":", "\"a\\nrefused: b\":"),
     {"node 0: no op has a setting named 'a\\nrefused: b'."}},
    {"word_with_a_line_of_its_own",
     network("\"transpose_a\":false", "\"transpose_a\":\"a\\nb\""),
     {"node 0: setting 'transpose_a' is a\\nb, and true or false is read there."}},
};
class NativeRefused : public testing::TestWithParam<Case> {};
TEST_P(NativeRefused, NamesTheFaultAndItsPlace) {
  Parts parts = Parts::of(tests::fixture("native/dense.causeway"));
  GetParam().change(parts);
  const tests::TemporaryFolder folder;
  parts.write(folder.file("changed"));
  EXPECT_THAT(tests::refusal_of([&] { read_native(opened(folder.file("changed"))); }),
              ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Changes, NativeRefused, testing::ValuesIn(kRefused), tests::by_name);

TEST(Native, KeepsInfinitiesInConstants) {
  const float infinity = std::numeric_limits<float>::infinity();
  Slots slots;
  GraphBuilder graph(slots);
  const Value x = graph.input("x", {DType::Float32, Shape{2}});
  graph.output("y", ops::min(x, graph.constant(Tensor::of<float>({2}, {infinity, 1}), "limits")));
  SavedNetwork saved;
  saved.network = Network(std::move(graph).finish(), std::move(slots));
  const tests::TemporaryFolder folder;
  write_native({.saved = saved}, folder.file("a"));
  const SavedNetwork again = read_native(opened(folder.file("a"))).saved;
  EXPECT_EQ(again.network.graph().text(), saved.network.graph().text());
}

TEST(Native, GivesTheSameBytesForTheSameContents) {
  SavedNetwork saved{.network = Sequential({2}).dense(3).dense(1).build(7)};
  saved.losses.emplace("output", MeanSquaredError{});
  NativeFile file{.saved = saved};
  file.tensors.emplace("@memory/0.bias/exp_avg", Tensor(DType::Float32, {3}));
  const tests::TemporaryFolder folder;
  write_native(file, folder.file("a"));
  write_native(read_native(opened(folder.file("a"))), folder.file("b"));
  EXPECT_EQ(tests::bytes_of(folder.file("b")), tests::bytes_of(folder.file("a")));
}

TEST(Native, LaysTensorsWhereTheyCanBeMapped) {
  for (const char* file : {"native/dense.causeway", "native/titanic.causeway"}) {
    const ByteSource source = opened(tests::fixture(file));
    uint64_t header = 0;
    for (int i = 7; i >= 0; --i) header = header << 8 | static_cast<uint8_t>(source.text()[static_cast<size_t>(i)]);
    EXPECT_EQ((8 + header) % 64, 0u);
    for (const auto& stored : safetensors::read_safetensors(source).tensors) {
      const auto place = static_cast<size_t>(reinterpret_cast<const char*>(stored.bytes.data()) - source.text().data());
      EXPECT_EQ(place % size_of(stored.kind->dtype), 0u) << stored.name;
    }
  }
}

TEST(Native, IsBelievedByItsChecksumAlone) {
  const tests::TemporaryFolder folder;
  Parts parts = Parts::of(tests::fixture("native/dense.causeway"));
  parts.write(folder.file("unsealed"), /*sealed=*/false);
  EXPECT_THAT(tests::refusal_of([&] { read_native(opened(folder.file("unsealed"))); }),
              testing::ElementsAre("causeway.checksum: it is missing, and a file is believed by its checksum alone."));
  // Every flipped bit of the data is found, whatever number it makes.
  const std::string whole = tests::bytes_of(tests::fixture("native/dense.causeway"));
  for (size_t bit = (whole.size() - 64) * 8; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THAT(tests::refusal_of([&] { read_native(opened(folder.write("flipped", flipped))); }),
                testing::ElementsAre(testing::StartsWith("causeway.checksum: the file's contents do not add up")));
  }
}

}  // namespace
}  // namespace causeway::formats::native
