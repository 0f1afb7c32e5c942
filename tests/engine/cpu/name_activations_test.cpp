#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "tests/engine/cpu/sample_networks.h"
#include "tests/support/rows.h"

namespace causeway::engine::cpu {
namespace {

Value number(const Value& x, double of) { return ops::number_like(x, of); }
Value half_of(const Value& x) { return ops::mul(x, number(x, 0.5)); }
Value cubic(const Value& x, const Value& cube) {
  return ops::mul(number(x, 0.7978845608), ops::add(x, ops::mul(number(x, 0.044715), cube)));
}

struct Row {
  std::string name;
  std::function<Value(const Value& x)> spelled;
  /// The op it becomes; "": none.
  std::string op;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRows[] = {
    // As PyTorch's exporter writes it.
    {"gelu",
     [](const Value& x) {
       const Value share = ops::add(ops::erf(ops::div(x, number(x, std::sqrt(2.0)))), number(x, 1));
       return half_of(ops::mul(x, share));
     },
     "Gelu"},
    // As Keras's.
    {"gelu_by_halves",
     [](const Value& x) {
       const Value share = ops::add(number(x, 1), ops::erf(ops::mul(number(x, std::sqrt(0.5)), x)));
       return ops::mul(half_of(x), share);
     },
     "Gelu"},
    {"gelu_by_tanh",
     [](const Value& x) {
       const Value share = ops::add(number(x, 1), ops::tanh(cubic(x, ops::mul(x, ops::mul(x, x)))));
       return ops::mul(half_of(x), share);
     },
     "Gelu"},
    {"gelu_by_tanh_and_a_power",
     [](const Value& x) {
       const Value share = ops::add(ops::tanh(cubic(x, ops::pow(x, number(x, 3)))), number(x, 1));
       return ops::mul(number(x, 0.5), ops::mul(x, share));
     },
     "Gelu"},
    {"silu", [](const Value& x) { return ops::mul(x, ops::sigmoid(x)); }, "Swish"},
    {"swish", [](const Value& x) { return ops::mul(ops::sigmoid(ops::mul(number(x, 1.702), x)), x); }, "Swish"},
    {"another_share",
     [](const Value& x) {
       const Value share = ops::add(ops::erf(ops::div(x, number(x, 1.5))), number(x, 1));
       return half_of(ops::mul(x, share));
     },
     ""},
    {"a_gate_of_another_value", [](const Value& x) { return ops::mul(x, ops::sigmoid(ops::tanh(x))); }, ""},
    {"a_share_that_is_read",
     [](const Value& x) {
       const Value share = ops::sigmoid(x);
       return ops::add(ops::mul(x, share), share);
     },
     ""},
    {"a_quotient", [](const Value& x) { return ops::div(x, ops::sigmoid(x)); }, ""},
};

class NamedActivations : public testing::TestWithParam<Row> {};

TEST_P(NamedActivations, IsOneStepBehindItsProduct) {
  const Tensor x = samples::random_tensor({19, 5}, 1), w = samples::random_tensor({5, 35}, 2);
  Slots slots;
  GraphBuilder builder(slots);
  const Value product = ops::matmul(builder.input("x", Type::open(x)), builder.constant(w, "w"));
  builder.output("y", GetParam().spelled(product));
  const Graph graph = std::move(builder).finish();

  Draft draft = drafted(passes::bound(graph, slots, {{{"x", x.lengths()}}}));
  rewrite(draft);
  std::erase_if(draft.tasks, [](const Task& task) { return task.is_prepared; });
  const auto* fused = draft.tasks[0].op.as<FusedMatMul>();
  ASSERT_NE(fused, nullptr);
  EXPECT_EQ(draft.tasks.size(), GetParam().op.empty() ? 2u : 1u);
  EXPECT_EQ(fused->after.has_value(), !GetParam().op.empty());

  const Binding binding{.lengths = {{"x", x.lengths()}}};
  const TensorView input = view_of(x);
  const auto judge = reference::ReferenceEngine().compile(graph, slots, binding)->context();
  const auto ours = CpuEngine().compile(graph, slots, binding)->context();
  const Tensor expected = copy_of(judge->run({&input, 1})[0]), got = copy_of(ours->run({&input, 1})[0]);
  for (int64_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got.number_at(i), expected.number_at(i), 2e-6 * std::max(1.0, std::fabs(expected.number_at(i))));
  }
}

INSTANTIATE_TEST_SUITE_P(Spelled, NamedActivations, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway::engine::cpu
