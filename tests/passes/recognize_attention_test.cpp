#include "causeway/passes/recognize_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/bind.h"
#include "tests/support/rows.h"

// Attention as exporters spell it, made one node: found or left, and the same answers.

namespace causeway::passes {
namespace {

constexpr int64_t kRows = 2, kSteps = 5, kHeads = 3, kWidth = 4, kAll = kHeads * kWidth;
constexpr double kLowest = -3.4028234663852886e38, kMinusInfinity = -INFINITY;

Tensor numbers(const std::vector<int64_t>& lengths) {
  Tensor tensor(DType::Float32, lengths);
  float at = 0.3f;
  for (float& number : tensor.mutable_values<float>()) number = std::sin(at += 1.7f);
  return tensor;
}

Tensor truths(const std::vector<int64_t>& lengths, int64_t row_of_none = -1) {
  Tensor tensor(DType::Bool, lengths);
  const std::span<bool> all = tensor.mutable_values<bool>();
  for (size_t i = 0; i < all.size(); ++i) {
    all[i] = i % 3 != 1 && static_cast<int64_t>(i) / lengths.back() != row_of_none;
  }
  return tensor;
}

Tensor causal(double hidden) {
  Tensor tensor(DType::Float32, {kSteps, kSteps});
  for (int64_t i = 0; i < tensor.size(); ++i) {
    tensor.mutable_values<float>()[static_cast<size_t>(i)] =
        i % kSteps <= i / kSteps ? 0.0f : static_cast<float>(hidden);
  }
  return tensor;
}

/// Takes heads apart: [N, L, heads * d] as [N, heads, L, d].
Value apart(const Value& x) {
  return ops::transpose(ops::reshape(x, std::vector<int64_t>{0, 0, kHeads, kWidth}), {0, 2, 1, 3});
}
Value together(const Value& context) {
  return ops::reshape(ops::transpose(context, {0, 2, 1, 3}), std::vector<int64_t>{0, 0, kAll});
}
Value scores_of(const Value& q, const Value& k) {
  return ops::scale(ops::matmul(q, ops::transpose(k, {0, 1, 3, 2})), 0.5);
}

struct Doors {
  Value x, y, mask;
};

struct Row {
  std::string name;
  std::function<Value(const Doors&)> spelled;
  std::string found = "Attention(heads=3, kv_heads=3, scale=0.5, causal=false, no_key=zeros, dropout_rate=0)";
  /// Transposes that are left.
  size_t transposes = 0;
  /// The mask that is handed in, [N, Lk].
  Tensor mask = truths({kRows, kSteps});
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

Value softmax_of(const Value& scores, const Value& v) { return together(ops::matmul(ops::softmax(scores), v)); }

/// A mask [N, Lk] beside scores.
Value by_key(const Doors& doors) { return ops::unsqueeze(doors.mask, {1, 2}); }

constexpr const char* kAveraging =
    "Attention(heads=3, kv_heads=3, scale=0.5, causal=false, no_key=average, dropout_rate=0)";
constexpr const char* kCausal = "Attention(heads=3, kv_heads=3, scale=0.5, causal=true, no_key=zeros, dropout_rate=0)";

const Row kFound[] = {
    {"three_products",
     [](const Doors& at) { return softmax_of(scores_of(apart(at.x), apart(at.y)), apart(ops::tanh(at.y))); }},
    // As the bench's encoder: one product taken apart and turned at once, then picked.
    {"one_product_of_all_three",
     [](const Doors& at) {
       const Value joint = ops::concat({at.x, at.y, ops::tanh(at.x)}, 2);
       const Value five = ops::reshape(joint, std::vector<int64_t>{0, 0, 3, kHeads, kWidth});
       const Value turned = ops::transpose(five, {2, 0, 3, 1, 4});
       const auto part = [&](int64_t i) { return ops::gather(turned, turned.graph().scalar(i)); };
       return softmax_of(scores_of(part(0), part(1)), part(2));
     }},
    {"split_of_one_product",
     [](const Doors& at) {
       const Values parts = ops::split(ops::concat({at.x, at.y, at.x}, 2), {kAll, kAll, kAll}, -1);
       return softmax_of(scores_of(apart(parts[0]), apart(parts[1])), apart(parts[2]));
     }},
    // As PyTorch's MultiheadAttention in TorchScript: the root of the scale on both sides.
    {"scale_on_queries_and_keys",
     [](const Doors& at) {
       const double root = std::sqrt(0.5);
       const Value k = ops::transpose(ops::reshape(at.y, std::vector<int64_t>{0, 0, kHeads, kWidth}), {0, 2, 3, 1});
       return softmax_of(ops::matmul(ops::scale(apart(at.x), root), ops::scale(k, root)), apart(at.y));
     },
     "Attention(heads=3, kv_heads=3, scale=0.4999999701976776, causal=false, no_key=zeros, dropout_rate=0)"},
    {"quotient",
     [](const Doors& at) {
       const Value scores = ops::matmul(apart(at.x), apart(at.y), false, true);
       return softmax_of(ops::div(scores, ops::number_like(scores, 2)), apart(at.y));
     }},
    {"heads_that_lie_apart",
     [](const Doors& at) { return softmax_of(scores_of(ops::tanh(apart(at.x)), apart(at.y)), apart(at.y)); },
     "Attention(heads=3, kv_heads=3, scale=0.5, causal=false, no_key=zeros, dropout_rate=0)", 2},
    {"rows_of_rank_three",
     [](const Doors& at) {
       const Value scores = ops::scale(ops::matmul(at.x, ops::transpose(at.y, {0, 2, 1})), 0.5);
       return ops::matmul(ops::softmax(scores), at.y);
     },
     "Attention(heads=1, kv_heads=1, scale=0.5, causal=false, no_key=zeros, dropout_rate=0)"},
    // As PyTorch's in its own layout: steps first, rows and heads one axis.
    {"heads_of_rank_three",
     [](const Doors& at) {
       const auto heads = [](const Value& x) {
         const Value steps_first = ops::tanh(ops::transpose(x, {1, 0, 2}));
         return ops::transpose(ops::reshape(steps_first, std::vector<int64_t>{kSteps, kRows * kHeads, kWidth}),
                               {1, 0, 2});
       };
       const Value scores = ops::scale(ops::matmul(heads(at.x), ops::transpose(heads(at.y), {0, 2, 1})), 0.5);
       const Value context = ops::matmul(ops::softmax(scores), heads(at.y));
       return ops::reshape(ops::transpose(context, {1, 0, 2}), std::vector<int64_t>{kSteps, kRows, kAll});
     },
     "Attention(heads=6, kv_heads=6, scale=0.5, causal=false, no_key=zeros, dropout_rate=0)", 3},
    {"masked_by_a_low_number",
     [](const Doors& at) {
       const Value scores = scores_of(apart(at.x), apart(at.y));
       return softmax_of(ops::where(by_key(at), scores, kLowest), apart(at.y));
     },
     kAveraging},
    {"masked_where_hidden",
     [](const Doors& at) {
       const Value scores = scores_of(apart(at.x), apart(at.y));
       return softmax_of(ops::where(ops::logical_not(by_key(at)), kLowest, scores), apart(at.y));
     },
     kAveraging},
    {"no_key_left_averages",
     [](const Doors& at) {
       const Value scores = scores_of(apart(at.x), apart(at.y));
       return softmax_of(ops::where(by_key(at), scores, kLowest), apart(at.y));
     },
     kAveraging, 0, truths({kRows, kSteps}, 1)},
    // As this library writes it.
    {"no_key_left_guarded",
     [](const Doors& at) {
       const Value allowed = by_key(at), scores = scores_of(apart(at.x), apart(at.y));
       const Value shares = ops::softmax(ops::where(allowed, scores, kLowest));
       return together(ops::matmul(ops::where(allowed, shares, 0.0), apart(at.y)));
     },
     "Attention(heads=3, kv_heads=3, scale=0.5, causal=false, no_key=zeros, dropout_rate=0)", 0,
     truths({kRows, kSteps}, 1)},
    {"causal_by_a_sum",
     [](const Doors& at) {
       const Value mask = at.x.graph().constant(causal(kMinusInfinity), "causal");
       return softmax_of(ops::add(scores_of(apart(at.x), apart(at.y)), mask), apart(at.y));
     },
     kCausal},
    {"causal_and_masked",
     [](const Doors& at) {
       const Value seen = ops::less(ops::abs(at.x.graph().constant(causal(1), "causal")), 0.5);
       const Value allowed = ops::logical_and(by_key(at), seen);
       const Value shares = ops::softmax(ops::where(allowed, scores_of(apart(at.x), apart(at.y)), kLowest));
       return together(ops::matmul(ops::where(allowed, shares, 0.0), apart(at.y)));
     },
     kCausal},
    {"a_constant_mask_of_all_rows",
     [](const Doors& at) {
       const Value mask = at.x.graph().constant(truths({1, 1, kSteps, kSteps}), "seen");
       return softmax_of(ops::where(mask, scores_of(apart(at.x), apart(at.y)), kMinusInfinity), apart(at.y));
     },
     kAveraging},
};

const Row kLeft[] = {
    // NaN where a query has no key.
    {"minus_infinity_by_a_mask_of_the_rows",
     [](const Doors& at) {
       return softmax_of(ops::where(by_key(at), scores_of(apart(at.x), apart(at.y)), kMinusInfinity), apart(at.y));
     },
     ""},
    // What is masked keeps a share.
    {"a_number_not_so_low",
     [](const Doors& at) {
       return softmax_of(ops::where(by_key(at), scores_of(apart(at.x), apart(at.y)), -5.0), apart(at.y));
     },
     ""},
    {"numbers_added_that_are_no_mask",
     [](const Doors& at) {
       const Value bias = at.x.graph().constant(numbers({kSteps, kSteps}), "bias");
       return softmax_of(ops::add(scores_of(apart(at.x), apart(at.y)), bias), apart(at.y));
     },
     ""},
    {"shares_that_are_read",
     [](const Doors& at) {
       const Value shares = ops::softmax(scores_of(apart(at.x), apart(at.y)));
       const Value context = together(ops::matmul(shares, apart(at.y)));
       return ops::add(context, ops::reduce_sum(shares));
     },
     ""},
    {"softmax_over_queries",
     [](const Doors& at) {
       const Value shares = ops::softmax(scores_of(apart(at.x), apart(at.y)), 2);
       return together(ops::matmul(shares, apart(at.y)));
     },
     ""},
    {"another_guard",
     [](const Doors& at) {
       const Value scores = scores_of(apart(at.x), apart(at.y));
       const Value shares = ops::softmax(ops::where(by_key(at), scores, kLowest));
       return together(ops::matmul(ops::where(ops::logical_not(by_key(at)), shares, 0.0), apart(at.y)));
     },
     ""},
};

struct Answered {
  std::string found;
  size_t transposes = 0;
  Tensor answer;
};

Answered answered(const Graph& graph, Slots& slots, const Binding& binding, const std::vector<Tensor>& inputs) {
  Answered made;
  for (const Node* node : graph.nodes()) {
    if (node->op.is<ops::Attention>()) made.found = node->op.text();
    made.transposes += node->op.is<ops::Transpose>() ? 1 : 0;
  }
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(view_of(input));
  const auto executable = engine::reference::ReferenceEngine().compile(graph, slots, binding);
  made.answer = copy_of(executable->context()->run(views)[0]);
  return made;
}

class Recognized : public testing::TestWithParam<Row> {};

TEST_P(Recognized, GivesTheSameAnswers) {
  const std::vector<Tensor> inputs{numbers({kRows, kSteps, kAll}), numbers({kRows, kSteps, kAll}), GetParam().mask};
  Slots slots;
  GraphBuilder builder(slots);
  const Type series{DType::Float32, Shape{Dim::named("N"), Dim::named("L"), kAll}};
  Doors doors{builder.input("x", series), builder.input("y", series),
              builder.input("mask", {DType::Bool, Shape{Dim::named("N"), Dim::named("L")}})};
  builder.output("z", GetParam().spelled(doors));
  const Graph graph = std::move(builder).finish();
  Binding binding;
  for (size_t i = 0; i < inputs.size(); ++i) binding.lengths[graph.inputs()[i].name] = inputs[i].lengths();
  BoundGraph whole = bound(graph, slots, {binding.lengths});
  const Answered before = answered(whole.graph, whole.slots, binding, inputs);
  const Answered after = answered(recognized_attention(whole.graph, whole.slots), whole.slots, binding, inputs);
  EXPECT_EQ(after.found, GetParam().found);
  EXPECT_TRUE(after.found.empty() || after.transposes == GetParam().transposes) << after.transposes;
  ASSERT_EQ(after.answer.lengths(), before.answer.lengths());
  for (int64_t i = 0; i < before.answer.size(); ++i) {
    const double was = before.answer.number_at(i), is = after.answer.number_at(i);
    EXPECT_TRUE(std::fabs(is - was) <= 2e-6 || (std::isnan(is) && std::isnan(was))) << i << ": " << is << " " << was;
  }
}

INSTANTIATE_TEST_SUITE_P(Found, Recognized, testing::ValuesIn(kFound), tests::by_name);
INSTANTIATE_TEST_SUITE_P(Left, Recognized, testing::ValuesIn(kLeft), tests::by_name);

}  // namespace
}  // namespace causeway::passes
