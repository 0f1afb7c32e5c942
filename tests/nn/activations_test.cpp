#include "causeway/nn/layers/activations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "causeway/answer/predict.h"
#include "causeway/graph/rewrite.h"
#include "causeway/nn/words.h"
#include "causeway/ops/build.h"
#include "causeway/train/backward.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

// A layer in words, an example of numbers, what is answered; and where it is said, the gradient of the answers' sum.
struct Row {
  const char* name;
  const char* layer;
  std::vector<float> x;
  std::vector<double> y, gradient = {};
};

const std::vector<float> kSeven{-4, -2.5f, -1, -0.3f, 0.3f, 1, 2.5f};

const Row kRows[] = {
    {"gelu", R"("gelu")", kSeven, {-0.000126685, -0.0155242, -0.158655, -0.114627, 0.185373, 0.841345, 2.48448}},
    {"mish", R"("mish")", kSeven, {-0.0725917, -0.196816, -0.303401, -0.151133, 0.208001, 0.865098, 2.47139}},
    {"hard_silu", R"("hard_silu")", kSeven, {0, -0.208333, -0.333333, -0.135, 0.165, 0.666667, 2.29167}},
    {"squareplus", R"("squareplus")", kSeven, {0.236068, 0.350781, 0.618034, 0.861187, 1.16119, 1.61803, 2.85078}},
    {"squareplus_far_below", R"("squareplus")", {-1e4f}, {1e-4}},
    {"softmax", R"("softmax")", {1000, 1001, 999}, {0.244728, 0.665241, 0.0900306}},
    {"softplus", R"("softplus")", {-40, 25}, {4.24835e-18, 25}},
    {"celu", R"({"kind": "celu", "alpha": 2})", {-1}, {-0.786939}},
    {"sparsemax", R"("sparsemax")", {1, 0.8f, 0.1f}, {0.6, 0.4, 0}},
    {"relu_with_all_settings",
     R"({"kind": "relu", "negative_slope": 0.1, "max_value": 2, "threshold": 0.5})",
     {-1, 0.3f, 1, 2.5f},
     {-0.15, -0.02, 1, 2}},
    {"glu", R"("glu")", {1, 2, 3, 4}, {0.952574, 1.96403}},
    {"relu_at_its_corner", R"("relu")", {0}, {0}, {0}},
    {"relu_at_its_top", R"({"kind": "relu", "max_value": 2})", {2, 1}, {2, 1}, {0, 1}},
    {"relu6_at_its_corners", R"("relu6")", {0, 6, 3}, {0, 6, 3}, {0, 0, 1}},
    {"leaky_relu_at_its_corner", R"("leaky_relu")", {0, -1}, {0, -0.2}, {0.2, 0.2}},
    {"elu_at_its_corner", R"({"kind": "elu", "alpha": 3})", {0}, {0}, {3}},
    {"celu_at_its_corner", R"({"kind": "celu", "alpha": 3})", {0}, {0}, {1}},
    {"selu_at_its_corner", R"("selu")", {0}, {0}, {1.0507009873554805 * 1.6732632423543772}},
    {"hard_sigmoid_at_its_corners", R"("hard_sigmoid")", {-3, 3, 0}, {0, 1, 0.5}, {0, 0, 1.0 / 6}},
    {"hard_silu_at_its_corners", R"("hard_silu")", {-3, 3}, {0, 3}, {0, 1}},
    {"hard_tanh_at_its_corners", R"("hard_tanh")", {-1, 1, 0.5f, 2}, {-1, 1, 0.5, 1}, {0, 0, 1, 0}},
    {"soft_shrink", R"("soft_shrink")", {-2, -0.5f, 0.25f, 0.5f, 2}, {-1.5, 0, 0, 0, 1.5}, {1, 0, 0, 0, 1}},
    {"hard_shrink", R"("hard_shrink")", {-2, -0.5f, 0.25f, 0.5f, 2}, {-2, 0, 0, 0, 2}, {1, 0, 0, 0, 1}},
    {"threshold", R"({"kind": "threshold", "threshold": 1, "default_value": -3})", {0, 1, 2}, {-3, -3, 2}, {0, 0, 1}},
    {"sparse_plus", R"("sparse_plus")", {-2, -1, 0, 1, 3}, {0, 0, 0.25, 1, 3}, {0, 0, 0.5, 1, 1}},
    {"sparse_sigmoid", R"("sparse_sigmoid")", {-2, -1, 0, 1, 3}, {0, 0, 0.5, 1, 1}, {0, 0, 0.5, 0, 0}},
    {"tanh_shrink", R"("tanh_shrink")", {0, 2}, {0, 2 - 0.9640275801}},
    {"log_sigmoid", R"("log_sigmoid")", {-100, 0, 100}, {-100, -0.69314718056, 0}},
};

class NetworkSection5 : public testing::TestWithParam<Row> {
 protected:
  SavedNetwork network() const {
    const std::string words =
        R"({"input": [)" + std::to_string(GetParam().x.size()) + R"(], "layers": [)" + GetParam().layer + "]}";
    return network_of_words(words, "words");
  }
  Tensor x() const { return Tensor::of({1, static_cast<int64_t>(GetParam().x.size())}, GetParam().x); }
};

TEST_P(NetworkSection5, AnswersAndItsSlopes) {
  const SavedNetwork saved = network();
  for (const Engine* engine : engines()) {
    const Tensor y = predict(saved, x(), *engine);
    ASSERT_EQ(y.size(), static_cast<int64_t>(GetParam().y.size()));
    for (int64_t i = 0; i < y.size(); ++i) {
      const double expected = GetParam().y[static_cast<size_t>(i)];
      EXPECT_NEAR(y.number_at(i), expected, 1e-5 * std::abs(expected) + 1e-7) << engine->name() << " " << i;
    }
    if (GetParam().gradient.empty()) continue;
    Slots slots = saved.network.slots();
    GraphBuilder graph(slots);
    const ValueMap made = copy_nodes(graph, saved.network.graph());
    const Value door = made.at(saved.network.inputs()[0].value);
    const Value sum = ops::reduce_sum(made.at(saved.network.outputs()[0].value));
    graph.output("dx", train::gradients(graph, sum, std::vector<Value>{door})[0]);
    const Tensor rows = x();
    const TensorView view = view_of(rows);
    const Graph whole = std::move(graph).finish();
    const auto context = engine->compile(whole, slots, {.lengths = {{"input", rows.lengths()}}})->context();
    const Tensor dx = copy_of(context->run({&view, 1})[0]);
    for (int64_t i = 0; i < dx.size(); ++i) {
      EXPECT_NEAR(dx.number_at(i), GetParam().gradient[static_cast<size_t>(i)], 1e-6) << engine->name() << " " << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Stated, NetworkSection5, testing::ValuesIn(kRows), tests::by_name);

TEST(NetworkSection5Softmax, RunsAlongAnyAxis) {
  const SavedNetwork saved =
      network_of_words(R"({"input": [2, 2], "layers": [{"kind": "softmax", "axis": 1}]})", "words");
  const Tensor y = predict(saved, Tensor::of<float>({1, 2, 2}, {1, 2, 3, 5}));
  const double expected[] = {0.119203, 0.0474259, 0.880797, 0.952574};
  for (int64_t i = 0; i < 4; ++i) EXPECT_NEAR(y.number_at(i), expected[i], 1e-6);
}

TEST(NetworkSection5NotANumber, StaysOne) {
  for (const std::string layer : {R"({"kind": "threshold", "threshold": 1, "default_value": -3})", R"("sparse_plus")",
                                  R"({"kind": "relu", "threshold": 1})", R"("soft_shrink")", R"("hard_shrink")"}) {
    const SavedNetwork saved = network_of_words(R"({"input": [2], "layers": [)" + layer + "]}", "words");
    for (const Engine* engine : engines()) {
      const Tensor y = predict(saved, Tensor::of<float>({1, 2}, {std::nanf(""), 2}), *engine);
      EXPECT_TRUE(std::isnan(y.number_at(0))) << layer << " " << engine->name();
      EXPECT_FALSE(std::isnan(y.number_at(1))) << layer << " " << engine->name();
    }
  }
}

struct Refusal {
  const char* name;
  const char* layer;
  const char* line;
};
const Refusal kRefused[] = {
    {"glu_of_an_odd_length", R"("glu")", "axis -1 is 3 long, and an even length is halved."},
    {"threshold_below_0", R"({"kind": "soft_shrink", "threshold": -1})", "'threshold' is -1, and it is at least 0."},
    {"nothing_to_divide_by", R"({"kind": "celu", "alpha": 0})", "'alpha' is 0, and values are divided by it."},
    {"kerass_class_name", R"("re_lu")", "'re_lu' is no layer. The nearest is 'relu'."},
    {"threshold_left_out", R"({"kind": "threshold", "threshold": 1})",
     "setting 'default_value' is missing, and threshold needs it."},
};
class RefusedActivation : public testing::TestWithParam<Refusal> {};
TEST_P(RefusedActivation, IsNamed) {
  const std::string words = std::string(R"({"input": [3], "layers": [)") + GetParam().layer + "]}";
  const std::vector<std::string> lines = tests::refusal_of([&] { network_of_words(words, "words"); });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find(GetParam().line), std::string::npos) << lines[0];
}
INSTANTIATE_TEST_SUITE_P(Words, RefusedActivation, testing::ValuesIn(kRefused), tests::by_name);

}  // namespace
}  // namespace causeway
