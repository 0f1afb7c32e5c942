#include "causeway/formats/pytorch/reader.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/formats/pytorch/writer.h"
#include "causeway/nn/loss_list.h"
#include "tests/formats/pytorch/torch_fixture.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using tests::fixture;
using tests::refusal_of;
using tests::stored_tensors;
using tests::words_of;

SavedNetwork read(std::string_view file, std::string_view network, ReadOptions options = {}) {
  const SavedNetwork saved = words_of("pytorch/" + std::string(network));
  options.network = &saved.network;
  return PytorchReader().read(ByteSource::open(fixture("pytorch/" + std::string(file))), options);
}

Tensor slot_of(const SavedNetwork& saved, std::string_view path) { return saved.network.slots().at(path).numbers; }

struct Case {
  const char *name, *network;
  std::vector<std::string> lines;
};
const Case kRefused[] = {
    {"prefix_module.pt",
     "rows",
     {"data.pkl: all 4 names begin with 'module.', and no slot here does. Read it with --strip-prefix module."}},
    {"prefix_module.safetensors",
     "rows",
     {"prefix_module.safetensors: all 4 names begin with 'module.', and no slot here does. Read it with --strip-prefix "
      "module."}},
    {"prefix_some.pt",
     "rows",
     {"tensor 'n_averaged': 'n_averaged' is no slot of this network.",
      "tensor 'module.0.weight': 'module.0.weight' is no slot of this network.",
      "tensor 'module.0.bias': 'module.0.bias' is no slot of this network.",
      "tensor 'module.2.weight': 'module.2.weight' is no slot of this network.",
      "tensor 'module.2.bias': 'module.2.bias' is no slot of this network.",
      "slot '0.weight': '0.weight' is missing: every slot of the network is written once.",
      "slot '0.bias': '0.bias' is missing: every slot of the network is written once.",
      "slot '2.weight': '2.weight' is missing: every slot of the network is written once.",
      "slot '2.bias': '2.bias' is missing: every slot of the network is written once."}},
    {"repeated.pt",
     "weight_2_3",
     {"tensor '0.weight': '0.weight' repeats its storage's numbers. Save 0.weight.contiguous()."}},
    {"negative_view.pt",
     "weight_2_3",
     {"tensor '0.weight': '0.weight' is a negated view of its storage. Save 0.weight.resolve_neg()."}},
    {"i64.pt", "rows", {"tensor '0.bias': '0.bias' holds int64 in the file, and a slot here holds float32."}},
    {"nan.pt", "rows", {"tensor '0.bias': '0.bias' holds nan at [1], and a slot holds finite numbers."}},
    {"weight_norm_half.pt",
     "norm",
     {"data.pkl: '0.weight_v' is half of a weight under weight_norm, and '0.weight_g' is missing beside it."}},
    {"weight_norm_both.pt",
     "norm",
     {"data.pkl: '0.weight' stands beside '0.weight_g' and '0.weight_v', and only one of the two weights could be "
      "read."}},
    {"spectral_norm_old.pt",
     "weight_2_3",
     {"tensor '0.bias': '0.bias' is no slot of this network.",
      "data.pkl: '0' keeps its weight under spectral_norm, which is worked out anew at each training step. Call "
      "torch.nn.utils.parametrize.remove_parametrizations(module, 'weight') and save again."}},
    {"spectral_norm_new.pt",
     "weight_2_3",
     {"tensor '0.bias': '0.bias' is no slot of this network.",
      "data.pkl: '0' keeps its weight under spectral_norm, which is worked out anew at each training step. Call "
      "torch.nn.utils.parametrize.remove_parametrizations(module, 'weight') and save again."}},
    {"tracked_elsewhere.pt",
     "norm",
     {"tensor '0.num_batches_tracked': '0.num_batches_tracked' is no slot of this network."}},
    {"tracked_float.pt",
     "norm",
     {"tensor '1.num_batches_tracked': '1.num_batches_tracked' is float32 [1] in the file, and a count of batches is "
      "one "
      "whole number."}},
    {"extra_state.pt",
     "rows",
     {"data.pkl: '_extra_state' is a dictionary in the file, and a state dictionary holds tensors."}},
    {"number_entry.pt",
     "rows",
     {"data.pkl: 'epoch' is a whole number in the file, and a state dictionary holds tensors."}},
    {"empty.pt", "weight_1_1", {"slot '0.weight': '0.weight' is missing: every slot of the network is written once."}},
    {"key_twice.pt",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' is written twice, and only one of the two could be read."}},
    {"wrong_crc.pt", "weight_1_1", {"member 'archive/data/0': its bytes do not fit its CRC-32."}},
    {"zero_size_past.pt", "weight_1_1", {"tensor 'a': 'a' is no slot of this network."}},
    {"metadata_only.safetensors",
     "weight_1_1",
     {"slot '0.weight': '0.weight' is missing: every slot of the network is written once."}},
    {"number_f64_past.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds inf at [0, 0], and a slot holds finite numbers."}},
    {"number_f16_nan.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds nan at [0, 0], and a slot holds finite numbers."}},
    {"number_f16_inf.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds -inf at [0, 0], and a slot holds finite numbers."}},
    {"number_f8_e4m3_nan.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds nan at [0, 0], and a slot holds finite numbers."}},
    {"number_f8_e5m2_inf.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds inf at [0, 0], and a slot holds finite numbers."}},
    {"number_i64.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds int64 in the file, and a slot here holds float32."}},
    {"number_bool.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds bool in the file, and a slot here holds float32."}},
    {"number_c64.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds complex64 in the file, and a slot here holds float32."}},
    {"number_f8_e8m0.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' holds float8_e8m0fnu in the file, and a slot here holds float32."}},
    {"zero_size.safetensors", "weight_1_1", {"tensor 'k': 'k' is no slot of this network."}},
    {"scalar.safetensors",
     "weight_1_1",
     {"tensor '0.weight': '0.weight' is [] in the file, and its slot here is [1, 1]."}},
    {"turned.safetensors",
     "weight_2_3",
     {"tensor '0.weight': '0.weight' is [3, 2] in the file, and its slot here is [2, 3]."}},
    {"longer_key.safetensors",
     "weight_1_1",
     {"tensor '0.weight.bad_key': '0.weight.bad_key' is no slot of this network."}},
    {"newline_in_name.safetensors",
     "weight_1_1",
     {"tensor '0.weight\\n0.bias is fine': '0.weight\\n0.bias is fine' is no slot of this network."}},
    {"direction_in_name.safetensors", "weight_1_1", {"tensor 'k\\u202e': 'k\\u202e' is no slot of this network."}},
    {"faults.safetensors",
     "rows",
     {"tensor '0.weight': '0.weight' holds inf at [0, 1], and a slot holds finite numbers.",
      "tensor '0.bias': '0.bias' is [3] in the file, and its slot here is [2].",
      "tensor 'k': 'k' is no slot of this network.",
      "slot '2.weight': '2.weight' is missing: every slot of the network is written once."}},
};
class PytorchRefused : public testing::TestWithParam<Case> {};
TEST_P(PytorchRefused, NamesEveryFault) {
  EXPECT_THAT(refusal_of([] { read(GetParam().name, GetParam().network); }), ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Fixtures, PytorchRefused, testing::ValuesIn(kRefused), tests::by_name);

/// Files of the network `rows`, each with the options that read it.
struct Good {
  const char *name, *key = "", *prefix = "";
};
constexpr Good kGood[] = {
    {"plain.pt"},
    {"before_1_6.pt"},
    {"one_storage_before_1_6.pt"},
    {"under_key.pt", "state_dict"},
    {"prefix_module.pt", "", "module."},
    {"prefix_module.safetensors", "", "module"},
    {"plain.safetensors"},
    {"sharded/model.safetensors.index.json"},
};
class PytorchRead : public testing::TestWithParam<Good> {};
TEST_P(PytorchRead, PutsTheSameBitsIntoTheSameSlots) {
  const SavedNetwork saved = read(GetParam().name, "rows", {.key = GetParam().key, .strip_prefix = GetParam().prefix});
  const auto right = stored_tensors("pytorch/rows.answers.safetensors");
  for (const char* path : {"0.bias", "2.bias"}) EXPECT_TRUE(slot_of(saved, path).same_bits(right.at(path))) << path;
  for (const char* path : {"0.weight", "2.weight"}) {
    EXPECT_TRUE(slot_of(saved, path).same_bits(right.at(path).permuted(std::vector<size_t>{1, 0}))) << path;
  }
  EXPECT_THAT(saved.notes, IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Fixtures, PytorchRead, testing::ValuesIn(kGood), tests::by_name);

TEST(Pytorch, StripsAPrefixFromEveryNameOrFromNone) {
  EXPECT_THAT(refusal_of([] { read("prefix_some.pt", "rows", {.strip_prefix = "module."}); }),
              ElementsAre("tensor 'n_averaged': 'n_averaged' does not begin with 'module.', and stripping is asked of "
                          "every name."));
}

TEST(Pytorch, NeedsTheNetworkOfItsNumbers) {
  EXPECT_THAT(refusal_of([] { PytorchReader().read(ByteSource::open(fixture("pytorch/plain.pt")), {}); }),
              ElementsAre("plain.pt: the file holds numbers by name, and not the network they belong to. Give it with "
                          "--network NET.json."));
}

TEST(Pytorch, KeepsTheNetworkItIsHanded) {
  const SavedNetwork saved = words_of("pytorch/rows");
  const ReadOptions options{.network = &saved.network};
  PytorchReader().read(ByteSource::open(fixture("pytorch/plain.pt")), options);
  refusal_of([&] { PytorchReader().read(ByteSource::open(fixture("pytorch/nan.pt")), options); });
  EXPECT_EQ(saved.network.slots().at("0.bias").version, 0u);
}

TEST(Pytorch, SharesMappedNumbersThatNeedNoTurn) {
  EXPECT_TRUE(slot_of(read("plain.pt", "rows"), "0.bias").is_mapped());
  EXPECT_TRUE(slot_of(read("plain.safetensors", "rows"), "0.bias").is_mapped());
}

TEST(Pytorch, TurnsEachWeightByTheOpThatReadsIt) {
  EXPECT_THAT(slot_of(read("strided.pt", "weight_3_2"), "0.weight").values<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(slot_of(read("multiplier.pt", "multiplier"), "0.weight").values<float>(), ElementsAre(1, 2, 3, 4));
  const Tensor one_channel = slot_of(read("one_channel.pt", "conv_1_4"), "0.weight");
  EXPECT_THAT(one_channel.lengths(), ElementsAre(3, 3, 1, 4));
  EXPECT_EQ(one_channel.number_at(1), 9);
  const Tensor channels_last = slot_of(read("channels_last.pt", "conv_3_2"), "0.weight");
  EXPECT_THAT(channels_last.lengths(), ElementsAre(3, 3, 3, 2));
  EXPECT_EQ(channels_last.number_at(1), 27);
}

TEST(Pytorch, ReadsTiedNamesOfEitherContainer) {
  for (const char* name : {"tied.pt", "tied.safetensors"}) {
    const SavedNetwork saved = read(name, "square");
    EXPECT_THAT(slot_of(saved, "0.weight").values<float>(), ElementsAre(1, 3, 2, 4));
    EXPECT_TRUE(slot_of(saved, "0.weight").same_bits(slot_of(saved, "2.weight")));
  }
  EXPECT_THAT(read("tied.safetensors", "square").notes,
              ElementsAre("'2.weight' takes the numbers of '0.weight', to which the file ties it."));
}

TEST(Pytorch, MultipliesTheHalvesOfAWeightNorm) {
  for (const char* name : {"weight_norm_old", "weight_norm_new"}) {
    const SavedNetwork saved = read(std::string(name) + ".pt", "norm");
    const Tensor right = stored_tensors("pytorch/" + std::string(name) + ".answers.safetensors").at("0.weight");
    const Tensor got = slot_of(saved, "0.weight").permuted(std::vector<size_t>{1, 0});
    ASSERT_EQ(got.lengths(), right.lengths());
    for (int64_t i = 0; i < got.size(); ++i) {
      // PyTorch rounds the norm, the quotient and the product.
      EXPECT_NEAR(got.number_at(i), right.number_at(i), std::abs(right.number_at(i)) * std::ldexp(2, -23)) << name;
    }
    EXPECT_THAT(saved.notes,
                ElementsAre("layer '0' has its weight under weight_norm in the file; training goes on from "
                            "the plain weight."));
  }
}

TEST(Pytorch, LeavesACountOfBatchesOut) { EXPECT_THAT(read("tracked.pt", "norm").notes, IsEmpty()); }

struct Number {
  const char* name;
  float right;
};
constexpr Number kNumbers[] = {
    {"number_bf16", 1.5f},
    {"number_f64", std::bit_cast<float>(0x3dcccccdu)},
    {"number_f64_largest", std::numeric_limits<float>::max()},
    {"number_f16_subnormal", 5.9604645e-08f},
    {"unaligned", 1},
    {"spaces", 1},
    {"metadata_null", 1},
};
class PytorchNumber : public testing::TestWithParam<Number> {};
TEST_P(PytorchNumber, IsWidenedOrRoundedOnce) {
  const SavedNetwork saved = read(std::string(GetParam().name) + ".safetensors", "weight_1_1");
  EXPECT_THAT(slot_of(saved, "0.weight").values<float>(), ElementsAre(GetParam().right));
}
INSTANTIATE_TEST_SUITE_P(Fixtures, PytorchNumber, testing::ValuesIn(kNumbers), tests::by_name);

TEST(Pytorch, GivesTheLossThatIsAskedFor) {
  const SavedNetwork saved = read("plain.pt", "rows", {.loss = BinaryCrossentropy{}});
  ASSERT_EQ(saved.losses.size(), 1u);
  EXPECT_EQ(saved.losses.begin()->second.name(), "binary_crossentropy");
  EXPECT_THAT(refusal_of([] {
                read("plain.pt", "rows", {.losses = {{"chance", BinaryCrossentropy{}}}});
              }),
              ElementsAre("loss: 'chance' is no output of this network, which has 'output'."));
}

TEST(Pytorch, NotesWhereKerasAndPytorchDiffer) {
  const SavedNetwork saved = network_of_words(
      std::string_view(
          R"({"input": [3], "layers": [{"kind": "dense", "units": 2}, "batch_normalization", "leaky_relu"]})"),
      "words");
  const SavedNetwork read =
      PytorchReader().read(ByteSource::open(fixture("pytorch/tracked.pt")), {.network = &saved.network});
  EXPECT_THAT(read.notes,
              ElementsAre("layer '1' (BatchNormalization) takes epsilon 0.001, Keras's default; PyTorch's is "
                          "1e-05, and the file does not say.",
                          "layer '2' (LeakyReLU) takes negative_slope 0.2, Keras's default; PyTorch's is 0.01, "
                          "and the file does not say."));
}

TEST(Pytorch, IsToldByContent) {
  const PytorchReader reader;
  for (const char* name :
       {"pytorch/plain.pt", "pytorch/before_1_6.pt", "pytorch/before_0_1_10.pt", "pytorch/torchscript.pt",
        "pytorch/plain.safetensors", "pytorch/sharded/model.safetensors.index.json"}) {
    EXPECT_TRUE(reader.claims(ByteSource::open(fixture(name)))) << name;
  }
  for (const char* name : {"titanic/dense.keras", "titanic/dense.h5", "titanic/dense_dynamo.onnx",
                           "titanic/dense.network.json", "pytorch/nothing.pt"}) {
    EXPECT_FALSE(reader.claims(ByteSource::open(fixture(name)))) << name;
  }
}

}  // namespace
}  // namespace causeway::formats::pytorch
