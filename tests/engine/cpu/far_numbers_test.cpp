#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "tests/support/rows.h"

// Numbers near the ends of what float32 holds, and infinities, through steps that square or multiply them.

namespace causeway::engine::cpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

struct Row {
  const char* name;
  Op op;
  std::vector<float> x, y;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRows[] = {
    {"gelu", ops::Gelu{}, {-kInfinity, -1e38f, -11, 1e38f, kInfinity, kNaN}, {kNaN, 0, 0, 1e38f, kInfinity, kNaN}},
    {"gelu_by_tanh",
     ops::Gelu{.tanh_form = true},
     {-kInfinity, -1e38f, -11, 1e38f, kInfinity, kNaN},
     {kNaN, 0, 0, 1e38f, kInfinity, kNaN}},
    {"hard_swish",
     ops::HardSwish{},
     {-kInfinity, -1e38f, -3, 3, 1e38f, 3e38f, kInfinity, kNaN},
     {kNaN, 0, 0, 3, 1e38f, 3e38f, kInfinity, kNaN}},
    {"layer_norm",
     ops::LayerNorm{},
     {1e19f, -1e19f, 3e19f, -3e19f},
     {0.4472136f, -0.4472136f, 1.3416408f, -1.3416408f}},
    {"layer_norm_about_a_mean",
     ops::LayerNorm{},
     {1e38f, 1e38f, 1e38f, -1e38f},
     {0.57735027f, 0.57735027f, 0.57735027f, -1.7320508f}},
    {"rms_norm", ops::LayerNorm{.rms = true}, {1e19f, -1e19f, 7e19f, 7e19f}, {0.2f, -0.2f, 1.4f, 1.4f}},
    {"layer_norm_of_infinity", ops::LayerNorm{}, {kInfinity, 0, 1}, {kNaN, kNaN, kNaN}},
};

class FarNumbers : public testing::TestWithParam<Row> {};

TEST_P(FarNumbers, AreWorkedAsInDouble) {
  const Row& row = GetParam();
  Tensor x(DType::Float32, {1, static_cast<int64_t>(row.x.size())});
  std::copy(row.x.begin(), row.x.end(), x.mutable_values<float>().begin());
  Slots slots;
  GraphBuilder builder(slots);
  const Value input = builder.input("x", Type::open(x));
  builder.output("y", builder.add1(row.op, {input}));
  const Graph graph = std::move(builder).finish();
  const Binding binding{.lengths = {{"x", x.lengths()}}};
  const TensorView view = view_of(x);
  const reference::ReferenceEngine judge;
  const CpuEngine cpu;
  for (const Engine* engine : {static_cast<const Engine*>(&judge), static_cast<const Engine*>(&cpu)}) {
    SCOPED_TRACE(engine->name());
    const auto context = engine->compile(graph, slots, binding)->context();
    const Tensor y = copy_of(context->run({&view, 1})[0]);
    for (size_t i = 0; i < row.y.size(); ++i) {
      const float got = y.values<float>()[i], expected = row.y[i];
      if (std::isnan(expected) || std::isinf(expected)) {
        EXPECT_EQ(std::isnan(got), std::isnan(expected)) << i << ": " << got;
        EXPECT_EQ(std::isinf(got), std::isinf(expected)) << i << ": " << got;
      } else {
        EXPECT_NEAR(got, expected, 1e-6 * std::max(1.0f, std::abs(expected))) << i;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, FarNumbers, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway::engine::cpu
