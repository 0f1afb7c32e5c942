#include "causeway/passes/take_early.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/bind.h"
#include "tests/support/rows.h"

// Steps that are picked at the end, picked where they can be first: fewer are worked, and the answers are the same.

namespace causeway::passes {
namespace {

constexpr int64_t kRows = 2, kSteps = 7, kWidth = 4;

Tensor numbers(const std::vector<int64_t>& lengths) {
  Tensor tensor(DType::Float32, lengths);
  float at = 0.3f;
  for (float& number : tensor.mutable_values<float>()) number = std::sin(at += 1.7f);
  return tensor;
}

Value weight(const Value& x, const char* name) { return x.graph().constant(numbers({kWidth, kWidth}), name); }
Value normalized(const Value& x) {
  return x.graph().add1(ops::LayerNorm{}, {x, x.graph().constant(numbers({kWidth}), "scale"), {}});
}
Value attended(const Value& q, const Value& k) {
  return q.graph().add(ops::Attention{.heads = 2, .kv_heads = 2}, {q, k, k})[0];
}
Value layer(const Value& x) {
  return normalized(ops::add(x, x.graph().add1(ops::Gelu{}, {ops::matmul(x, weight(x, "up"))})));
}
Value step(const Value& x, int64_t at) { return ops::gather(x, x.graph().scalar(at), 1); }

struct Row {
  std::string name;
  std::function<Value(const Value& x)> spelled;
  /// How many nodes still make numbers for every step.
  size_t whole = 0;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRowsOfTest[] = {
    {"one_step_of_layers", [](const Value& x) { return step(layer(layer(x)), 0); }},
    {"the_last_step", [](const Value& x) { return step(layer(x), -1); }},
    {"a_list_of_one",
     [](const Value& x) { return ops::gather(layer(x), x.graph().constant(Tensor(DType::Int64, {1}), "first"), 1); }},
    {"every_third_step", [](const Value& x) { return ops::slice(layer(x), 1, 1, 7, 3); }},
    {"a_query_of_an_attention", [](const Value& x) { return step(layer(attended(ops::tanh(x), x)), 3); }},
    {"keys_that_are_made", [](const Value& x) { return step(attended(x, ops::tanh(x)), 3); }, 1},
    {"axes_that_turn",
     [](const Value& x) {
       const Value heads = ops::transpose(ops::reshape(x, std::vector<int64_t>{0, 0, 2, 2}), {0, 2, 1, 3});
       const Value back = ops::transpose(ops::softmax(heads), {0, 2, 1, 3});
       return step(ops::reshape(back, std::vector<int64_t>{0, 0, kWidth}), 2);
     }},
    {"what_repeats_along_the_steps",
     [](const Value& x) {
       const Value places = x.graph().constant(numbers({kSteps, kWidth}), "places");
       return step(ops::mul(ops::add(x, places), x.graph().constant(numbers({kWidth}), "scale")), 5);
     }},
    {"another_reader",
     [](const Value& x) {
       const Value y = ops::tanh(x);
       return ops::add(step(ops::exp(y), 0), ops::reduce_sum(y, {1}));
     },
     1},
    {"two_steps",
     [](const Value& x) {
       const Value y = ops::tanh(x);
       return ops::add(step(y, 0), step(y, 1));
     },
     1},
    {"more_than_half", [](const Value& x) { return ops::slice(ops::tanh(x), 1, 0, 4); }, 1},
    {"softmax_over_the_steps", [](const Value& x) { return step(ops::softmax(x, 1), 0); }, 1},
    {"normalized_over_the_steps",
     [](const Value& x) {
       return step(x.graph().add1(ops::LayerNorm{.axes = {1, 2}}, {x, {}, {}}), 0);
     },
     1},
    {"a_causal_attention",
     [](const Value& x) {
       return step(x.graph().add(ops::Attention{.heads = 2, .kv_heads = 2, .causal = true}, {x, x, x})[0], 0);
     },
     1},
    {"steps_that_are_summed",
     [](const Value& x) {
       return step(ops::matmul(x.graph().constant(numbers({kSteps, kSteps}), "mix"), x), 2);
     },
     1},
};

class TakenEarly : public testing::TestWithParam<Row> {};

TEST_P(TakenEarly, WorksNoMoreStepsThanAreRead) {
  const Tensor x = numbers({kRows, kSteps, kWidth});
  Slots slots;
  GraphBuilder builder(slots);
  builder.output("y", GetParam().spelled(builder.input("x", Type::open(x))));
  const Graph graph = std::move(builder).finish();
  const Binding binding{.lengths = {{"x", x.lengths()}}};
  BoundGraph whole = bound(graph, slots, {binding.lengths});
  const Graph early = taken_early(whole.graph, whole.slots);
  const auto answer = [&](const Graph& of) {
    const TensorView input = view_of(x);
    const auto executable = engine::reference::ReferenceEngine().compile(of, whole.slots, binding);
    return copy_of(executable->context()->run({&input, 1})[0]);
  };
  EXPECT_TRUE(answer(early).same_bits(answer(whole.graph)));
  const auto nodes = early.nodes();
  const auto left = std::count_if(nodes.begin(), nodes.end(), [](const Node* node) {
    const std::vector<int64_t> lengths = node->output().shape().lengths();
    return std::find(lengths.begin(), lengths.end(), kSteps) != lengths.end();
  });
  EXPECT_EQ(static_cast<size_t>(left), GetParam().whole);
}

INSTANTIATE_TEST_SUITE_P(Spelled, TakenEarly, testing::ValuesIn(kRowsOfTest), tests::by_name);

}  // namespace
}  // namespace causeway::passes
