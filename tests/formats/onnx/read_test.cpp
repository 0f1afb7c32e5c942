#include <gmock/gmock.h>

#include "tests/formats/onnx/asked.h"
#include "tests/support/rows.h"

namespace causeway::formats::onnx {
namespace {

using tests::by_name;

struct Row {
  const char* name;     // the file
  const char* answers;  // the file of its answers
  const char* x = "x";
  const char* y = "y";
  double bound = 1e-6;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr const char *kTitanic = "titanic/expected", *kSeries = "convolution/torch_series.answers",
                     *kImage = "convolution/torch_image.answers", *kMap = "convolution/torch_map.answers",
                     *kBranches = "convolution/torch_branches.answers", *kSteps = "convolution/torch_steps.answers",
                     *kVolume = "convolution/torch_volume.answers";

constexpr Row kRead[] = {
    {"titanic/dense_torchscript", kTitanic, "", "torch_logits"},
    {"titanic/dense_dynamo", kTitanic, "", "torch_logits"},
    {"titanic/dense_torchscript_sigmoid", kTitanic, "", "torch_chances"},
    {"titanic/dense_dynamo_sigmoid", kTitanic, "", "torch_chances"},
    {"titanic/dense_keras", kTitanic, "", "keras_chances"},
    {"titanic/dense_from_torch_keras", kTitanic, "", "dense_from_torch_keras_chances"},
    {"titanic/batchnorm_torchscript", kTitanic, "", "batchnorm_torch_logits"},
    {"titanic/batchnorm_dynamo", kTitanic, "", "batchnorm_torch_logits"},
    {"titanic/batchnorm_keras", kTitanic, "", "batchnorm_keras_chances"},
    {"convolution/torch_series_torchscript", kSeries},
    {"convolution/torch_series_dynamo", kSeries},
    {"convolution/torch_image_torchscript", kImage},
    {"convolution/torch_image_dynamo", kImage},
    {"convolution/torch_map_torchscript", kMap},
    {"convolution/torch_map_dynamo", kMap},
    {"convolution/torch_branches_torchscript", kBranches},
    {"convolution/torch_branches_dynamo", kBranches},
    {"convolution/torch_steps_torchscript", kSteps},
    {"convolution/torch_steps_dynamo", kSteps},
    {"convolution/torch_volume_torchscript", kVolume},
    {"convolution/torch_volume_dynamo", kVolume},
    {"convolution/keras_series", "convolution/keras_series.answers"},
    {"convolution/keras_image", "convolution/keras_image.answers"},
    {"convolution/keras_volume", "convolution/keras_volume.answers"},
    {"convolution/keras_pooled", "convolution/keras_pooled.answers"},
};
class OnnxRead : public testing::TestWithParam<Row> {};

TEST_P(OnnxRead, AnswersAsTheFrameworkDid) {
  const Row& row = GetParam();
  const SavedNetwork saved = read(std::string(row.name) + ".onnx");
  const NamedTensors answers = tensors_of(std::string(row.answers) + ".safetensors");
  ASSERT_EQ(saved.network.inputs().size(), 1u);
  const Tensor x = *row.x ? answers.at(row.x) : tensors_of("titanic/rows.safetensors").at("test_x");
  const NamedTensors made = ask(saved, {{saved.network.inputs()[0].name, x}});
  ASSERT_EQ(made.size(), 1u);
  EXPECT_LE(apart(made.begin()->second, answers.at(row.y)), row.bound);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxRead, testing::ValuesIn(kRead), by_name);

}  // namespace
}  // namespace causeway::formats::onnx
