#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "causeway/formats/onnx/write_onnx.h"
#include "tests/formats/onnx/asked.h"
#include "tests/support/rows.h"

namespace causeway::formats::onnx {
namespace {

using testing::ElementsAreArray;

std::vector<std::string> layers_of(const SavedNetwork& saved) {
  std::vector<std::string> layers;
  for (const Scope* scope : saved.network.graph().scopes()) {
    if (!scope->path.empty()) layers.push_back(scope->path + " " + scope->kind);
  }
  return layers;
}

std::vector<std::string> learned_of(const SavedNetwork& saved) {
  std::vector<std::string> paths;
  for (const SlotUse& use : saved.network.graph().slots()) {
    const Slot& slot = saved.network.slots().at(use.path);
    if (slot.role != Role::Constant) paths.push_back((slot.role == Role::Measured ? "~" : "") + slot.path);
  }
  return paths;
}

struct Row {
  const char* name;
  std::vector<std::string> layers, slots;  // ~ before measured ones
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kFiles = {
    {"titanic/dense_torchscript", {"0 Dense", "1 ReLU", "2 Dense"}, {"0.weight", "0.bias", "2.weight", "2.bias"}},
    {"titanic/dense_dynamo", {"0 Dense", "1 ReLU", "2 Dense"}, {"0.weight", "0.bias", "2.weight", "2.bias"}},
    {"titanic/batchnorm_torchscript",
     {"0 Dense", "1 BatchNormalization", "2 ReLU", "3 Dense"},
     {"0.weight", "0.bias", "1.weight", "1.bias", "~1.running_mean", "~1.running_var", "3.weight", "3.bias"}},
    {"titanic/batchnorm_dynamo", {"1 Dense", "2 ReLU", "3 Dense"}, {"0.weight", "0.bias", "3.weight", "3.bias"}},
    {"onnx/exporters/linear_series_ts17", {}, {"weight", "bias"}},
    {"onnx/exporters/gelu_ts17", {"0 Dense", "1 GELU"}, {"0.weight", "0.bias"}},
    {"onnx/exporters/layer_norm_ts11", {}, {"weight", "bias"}},
    {"onnx/exporters/tied_ts17", {"again Dense", "again#2 Dense"}, {"again.weight", "again.bias"}},
    {"onnx/exporters/tied_dy18", {"again Dense", "again#2 Dense"}, {"again.weight", "again.bias"}},
};
class OnnxLayers : public testing::TestWithParam<Row> {};

TEST_P(OnnxLayers, AreNamedByWhatTheFileSays) {
  const SavedNetwork saved = read(std::string(GetParam().name) + ".onnx");
  EXPECT_THAT(layers_of(saved), ElementsAreArray(GetParam().layers));
  EXPECT_THAT(learned_of(saved), ElementsAreArray(GetParam().slots));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxLayers, testing::ValuesIn(kFiles), tests::by_name);

}  // namespace
}  // namespace causeway::formats::onnx
