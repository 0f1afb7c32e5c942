#include <gtest/gtest.h>

#include <algorithm>

#include "causeway/answer/predict.h"
#include "tests/learn/fixture_models.h"

namespace causeway {
namespace {

using tests::most_ulps;

Tensor tensor_of(const std::string& file, std::string_view name) { return tests::array_of("titanic/" + file, name); }

SavedNetwork read(const std::string& file, const std::string& words) {
  return tests::read_fixture({"titanic/" + file, words.empty() ? "" : "titanic/" + words});
}

struct Row {
  const char *file, *words, *expected;
  int64_t bound;
};
const Row kRows[] = {
    {"dense.safetensors", "dense.network.json", "torch_chances", 5},
    {"dense.pt", "dense.network.json", "torch_chances", 5},
    {"dense_torchscript.onnx", "", "torch_chances", 5},
    {"dense_dynamo.onnx", "", "torch_chances", 5},
    {"dense_torchscript_sigmoid.onnx", "", "torch_chances", 5},
    {"dense_dynamo_sigmoid.onnx", "", "torch_chances", 5},
    {"dense.keras", "", "keras_chances", 5},
    {"dense.h5", "", "keras_chances", 5},
    {"dense_keras.onnx", "", "keras_chances", 5},
    {"dense_from_torch.keras", "", "torch_chances", 5},
    {"batchnorm.safetensors", "batchnorm.network.json", "batchnorm_torch_chances", 10},
    {"batchnorm.pt", "batchnorm.network.json", "batchnorm_torch_chances", 10},
    {"batchnorm_torchscript.onnx", "", "batchnorm_torch_chances", 10},
    {"batchnorm_dynamo.onnx", "", "batchnorm_torch_chances", 10},
    {"batchnorm.keras", "", "batchnorm_keras_chances", 10},
    {"batchnorm.h5", "", "batchnorm_keras_chances", 10},
    {"batchnorm_keras.onnx", "", "batchnorm_keras_chances", 10},
};

// The reference engine rounds every sum once, and the frameworks' own float32 answers lie up to 7 roundings (13 behind a
// batch normalisation) from the exact ones, so it is held to the sum of both; the man of 22 likewise.
int64_t allowed(const Row& row, const Engine& engine) { return row.bound + (engine.name() == "reference" ? 4 : 0); }

class Titanic : public testing::TestWithParam<std::tuple<Row, const Engine*>> {};

TEST_P(Titanic, GivesTheFrameworksChances) {
  const auto& [row, engine] = GetParam();
  const SavedNetwork saved = read(row.file, row.words);
  const Tensor chances = predict(saved, tensor_of("rows.safetensors", "test_x"), *engine);
  ASSERT_EQ(chances.lengths(), (std::vector<int64_t>{135, 1}));
  EXPECT_LE(most_ulps(chances, tensor_of("expected.safetensors", row.expected)), allowed(row, *engine));
  const std::string expected(row.expected);
  if (expected.find("dense_from") != std::string::npos) return;
  const size_t at = expected.starts_with("batchnorm_") ? std::string("batchnorm_").size() : 0;
  const std::string of_one = expected.substr(0, at) + "passenger_1_" + expected.substr(at);
  const Tensor one = predict(saved, tensor_of("expected.safetensors", "passenger_1_x"), *engine);
  EXPECT_LE(most_ulps(one, tensor_of("expected.safetensors", of_one)), at == 0 && engine->name() == "cpu" ? 1 : 4)
      << "the man of 22 in third class";
}

INSTANTIATE_TEST_SUITE_P(
    Files, Titanic, testing::Combine(testing::ValuesIn(kRows), testing::ValuesIn(engines().begin(), engines().end())),
    [](const auto& row) {
      std::string name = std::string(std::get<0>(row.param).file) + "_" + std::string(std::get<1>(row.param)->name());
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

// The same bits in the slots, whatever file they came in.
struct Pair {
  const char *a, *b, *words;
};
const Pair kPairs[] = {{"dense.safetensors", "dense.pt", "dense.network.json"},
                       {"batchnorm.safetensors", "batchnorm.pt", "batchnorm.network.json"},
                       {"dense.keras", "dense.h5", ""},
                       {"dense.keras", "dense_keras.onnx", ""},
                       {"dense_from_torch.keras", "dense_from_torch_keras.onnx", ""},
                       {"batchnorm.keras", "batchnorm.h5", ""}};
class SameBits : public testing::TestWithParam<Pair> {};

// Matrices and lists of numbers as bytes; what stands in the shape of one number alone or of [1] is compared as such.
std::vector<std::string> bits_of(const SavedNetwork& saved) {
  std::vector<std::string> all;
  for (size_t i = 0; i < saved.network.slots().size(); ++i) {
    const Slot& slot = saved.network.slots()[i];
    if (slot.role == Role::Constant) continue;
    all.emplace_back(static_cast<const char*>(slot.numbers.data()), slot.numbers.size_bytes());
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST_P(SameBits, StandInTheSlots) {
  EXPECT_EQ(bits_of(read(GetParam().a, GetParam().words)), bits_of(read(GetParam().b, GetParam().words)));
}
INSTANTIATE_TEST_SUITE_P(Pairs, SameBits, testing::ValuesIn(kPairs));

}  // namespace
}  // namespace causeway
