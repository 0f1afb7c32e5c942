// Every network of tests/fixtures/convolution, from every format it is there in, beside its framework's answers.

#include <gtest/gtest.h>

#include "causeway/answer/predict.h"
#include "tests/learn/fixture_models.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

using tests::FixtureModel;

class Convolution : public testing::TestWithParam<std::tuple<FixtureModel, const Engine*>> {
 protected:
  const FixtureModel& model() const { return std::get<0>(GetParam()); }
  const Engine& engine() const { return *std::get<1>(GetParam()); }

  bool is_keras() const { return model().file.find("keras_") != std::string::npos; }
  bool is_onnx() const { return model().file.ends_with(".onnx"); }

  // An array of the network's answers, in the layout the model's doors have: PyTorch's ONNX takes channels first, all
  // else channels last.
  Tensor array(const std::string& name) const {
    size_t end = model().file.rfind('.');
    for (const char* exporter : {"_torchscript.onnx", "_dynamo.onnx"})
      end = std::min(end, model().file.rfind(exporter));
    const bool turned = !is_keras() && !is_onnx();
    return tests::array_of(model().file.substr(0, end) + ".answers.safetensors",
                           name + (turned ? "_channels_last" : ""));
  }

  // PyTorch's answers are what its module gives, before any loss's activation.
  Tensor answers(const SavedNetwork& saved, const Tensor& x) const {
    const AnswerOptions options{.engine = &engine(), .logits = !is_keras()};
    return predict(saved, {{saved.network.inputs()[0].name, x}}, options).begin()->second;
  }
};

TEST_P(Convolution, GivesTheFrameworksAnswers) {
  const SavedNetwork saved = tests::read_fixture(model());
  for (const std::string batch : {"", "one_"}) {
    const Tensor y = answers(saved, array(batch + "x")), expected = array(batch + "y");
    ASSERT_EQ(y.lengths(), expected.lengths());
    EXPECT_LE(tests::most_apart(y, expected), 1e-5) << batch;
  }
}

// Beside the same network run in double, in shares of the largest answer: how far its own roundings carry an engine. The
// reference engine rounds each sum once.
TEST_P(Convolution, StaysWithinItsRoundingsOfTheAnswersInDouble) {
  if (is_keras()) return;  // Keras was not run in double.
  const SavedNetwork saved = tests::read_fixture(model());
  const double share = engine().name() == "reference" ? 2e-7 : 1e-6;
  for (const std::string batch : {"", "one_"}) {
    const Tensor y = answers(saved, array(batch + "x")), expected = array(batch + "expected_double");
    ASSERT_EQ(y.lengths(), expected.lengths());
    EXPECT_LE(tests::most_apart(y, expected), share * tests::largest(expected)) << batch;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Convolution,
                         testing::Combine(testing::ValuesIn(tests::convolution_models()),
                                          testing::ValuesIn(engines().begin(), engines().end())),
                         [](const auto& row) {
                           return std::get<0>(row.param).test_name() + "_" +
                                  std::string(std::get<1>(row.param)->name());
                         });

struct Misfit {
  const char* name;
  const char* file;
  std::vector<int64_t> lengths;
  const char* line;
};
const Misfit kMisfits[] = {
    {"channels_first_into_last",
     "keras_image.keras",
     {5, 3, 13, 11},
     "input 'picture': it is [5, 3, 13, 11] here, and the network takes [N, 13, 11, 3] (NHWC). With its axes in the "
     "order [0, 2, 3, 1] it fits; or turn the network's doors to channels first."},
    {"channels_last_into_first",
     "torch_image_dynamo.onnx",
     {5, 13, 11, 3},
     "input 'x': it is [5, 13, 11, 3] here, and the network takes [N, 3, 13, 11] (NCHW). With its axes in the order "
     "[0, 3, 1, 2] it fits; or turn the network's doors to channels last."},
    {"series",
     "keras_series.keras",
     {2, 3, 11},
     "input 'input_layer': it is [2, 3, 11] here, and the network takes [N, 11, 3] (NLC). With its axes in the order "
     "[0, 2, 1] it fits; or turn the network's doors to channels first."},
    {"one_row",
     "keras_image.keras",
     {13, 11, 3},
     "input 'picture': it is [13, 11, 3] here, and the network takes [N, 13, 11, 3] (NHWC). One row alone is "
     "[1, 13, 11, 3]."},
    {"another_size",
     "keras_image.keras",
     {5, 13, 12, 3},
     "input 'picture': it is [5, 13, 12, 3] here, and the network takes [N, 13, 11, 3] (NHWC)."},
};
class MisshapenInput : public testing::TestWithParam<Misfit> {};
TEST_P(MisshapenInput, IsRefusedWithTheWayOut) {
  const SavedNetwork saved = tests::read_fixture({std::string("convolution/") + GetParam().file});
  EXPECT_EQ(tests::refusal_of([&] { predict(saved, Tensor(DType::Float32, GetParam().lengths)); }),
            std::vector<std::string>{GetParam().line});
}
INSTANTIATE_TEST_SUITE_P(Arrays, MisshapenInput, testing::ValuesIn(kMisfits), tests::by_name);

}  // namespace
}  // namespace causeway
