#include "causeway/passes/recognize_attention.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "causeway/graph/rewrite.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/attention_chain.h"
#include "causeway/passes/attention_operands.h"
#include "causeway/passes/strided_view.h"

namespace causeway::passes {
namespace {

constexpr int64_t kMostHeads = 65536;

/// The masks of an attention as its op takes them.
struct PlacedMasks {
  Value by_key, by_query;
  bool is_causal = false;
};

class Recognizer {
 public:
  Recognizer(const Graph& graph, Slots& slots) : graph_(graph), slots_(slots), operands_(made_) {}

  Graph run() {
    return rewritten(graph_, slots_, [&](GraphBuilder& builder, const Node& node, const Values& inputs) {
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (node.inputs[i]) made_[node.inputs[i]] = inputs[i];
      }
      if (node.op.is<ops::Transpose>()) return put_together(node);
      if (node.op.is<ops::Attention>()) return moved_to_bases(builder, node, inputs);
      return node.op.is<ops::MatMul>() ? attention(builder, node) : std::nullopt;
    });
  }

 private:
  // Masks ----------------------------------------------------------------------------------------------------------------

  static bool is_causal(const Tensor& allowed, int64_t queries, int64_t keys) {
    if (allowed.size() != queries * keys) return false;
    for (int64_t i = 0; i < allowed.size(); ++i) {
      if ((allowed.integer_at(i) != 0) != (i % keys <= i / keys)) return false;
    }
    return true;
  }

  /// Adds one mask, a value or constant truths; false where its shape is none that the op takes.
  static bool place(GraphBuilder& builder, const Value& truths, const Tensor* numbers, const HeadLengths& q,
                    int64_t keys, PlacedMasks& to) {
    std::vector<int64_t> lengths = numbers ? numbers->lengths() : truths.shape().lengths();
    if (lengths.size() > 4) return false;
    lengths.insert(lengths.begin(), 4 - lengths.size(), 1);
    const bool one_for_rows = lengths[0] == 1;
    if (lengths[1] != 1 || lengths[3] != keys || (!one_for_rows && lengths[0] != q.rows)) return false;
    if (numbers && one_for_rows && is_causal(*numbers, q.steps, keys)) return to.is_causal = true;
    const Value mask = numbers ? builder.constant(*numbers, "allowed") : truths;
    const auto join = [](Value& all, const Value& more) { all = all ? ops::logical_and(all, more) : more; };
    if (lengths[2] == 1) {
      const Value rows = under_lengths(mask, {lengths[0], keys});
      join(to.by_key, lengths[0] == q.rows ? rows : ops::expand(rows, ops::integers(builder, {q.rows, keys})));
      return true;
    }
    if (lengths[2] != q.steps) return false;
    join(to.by_query,
         one_for_rows ? under_lengths(mask, {q.steps, keys}) : under_lengths(mask, {q.rows, q.steps, keys}));
    return true;
  }

  /// Every mask that a value of the old graph is the conjunction of.
  bool place_all(GraphBuilder& builder, const Value& truths, const HeadLengths& q, int64_t keys, PlacedMasks& to,
                 int depth = 4) const {
    if (const Node* node = truths.node(); node && node->op.is<ops::And>() && depth > 0) {
      return place_all(builder, node->input(0), q, keys, to, depth - 1) &&
             place_all(builder, node->input(1), q, keys, to, depth - 1);
    }
    const Tensor* numbers = constant_numbers(truths, slots_);
    const auto at = made_.find(truths);
    if (!bound_lengths(truths) || (!numbers && at == made_.end())) return false;
    return place(builder, numbers ? Value() : at->second, numbers, q, keys, to);
  }

  bool place_spelled(GraphBuilder& builder, const SpelledMask& mask, const HeadLengths& q, int64_t keys,
                     PlacedMasks& to) const {
    if (!mask.is_hidden) return place_all(builder, mask.truths, q, keys, to);
    if (const Tensor* numbers = constant_numbers(mask.truths, slots_)) {
      const Tensor allowed = inverted(*numbers);
      return place(builder, {}, &allowed, q, keys, to);
    }
    const auto at = made_.find(mask.truths);
    return bound_lengths(mask.truths) && at != made_.end() &&
           place(builder, ops::logical_not(at->second), nullptr, q, keys, to);
  }

  // Nodes ----------------------------------------------------------------------------------------------------------------

  /// The product of shares and values, where the shares are an attention's.
  std::optional<Values> attention(GraphBuilder& builder, const Node& node) {
    const auto* weighed = node.op.as<ops::MatMul>();
    const auto shares = bound_lengths(node.input(0)), v = bound_lengths(node.input(1));
    if (weighed->transpose_a || weighed->transpose_b || !shares || !v) return std::nullopt;
    const std::optional<AttentionChain> chain = attention_chain(graph_, slots_, node.input(0));
    if (!chain) return std::nullopt;
    const auto q = bound_lengths(chain->queries), k = bound_lengths(chain->keys);
    const size_t rank = shares->size();
    if (!q || !k || q->size() != rank || k->size() != rank || v->size() != rank) return std::nullopt;
    // The rows and heads of all three are the same: none is spread.
    for (size_t axis = 0; axis + 2 < rank; ++axis) {
      if ((*q)[axis] != (*k)[axis] || (*q)[axis] != (*v)[axis]) return std::nullopt;
    }
    if (node.output().shape().count() == Dim(0)) return std::nullopt;

    const HeadLengths of_q = queries_of(*chain, *q);
    const int64_t keys = shares->back();
    const HeadLengths of_k{of_q.rows, of_q.heads, keys, of_q.width}, of_v{of_q.rows, of_q.heads, keys, v->back()};
    if (of_q.heads > kMostHeads) return std::nullopt;
    PlacedMasks masks;
    if (chain->mask && !place_spelled(builder, *chain->mask, of_q, keys, masks)) return std::nullopt;
    if (chain->allowed && !place(builder, {}, &*chain->allowed, of_q, keys, masks)) return std::nullopt;

    const std::vector<AttentionOperand> operands{operand_of_product(chain->queries, false, of_q, slots_),
                                                 operand_of_product(chain->keys, !chain->keys_are_rows, of_k, slots_),
                                                 operand_of_product(node.input(1), false, of_v, slots_)};
    for (const AttentionOperand& operand : operands) {
      if (!operands_.has(operand)) return std::nullopt;
    }
    Values inputs = operands_.make(builder, operands);
    if (masks.by_key || masks.by_query) inputs.push_back(masks.by_key);
    if (masks.by_query) inputs.push_back(masks.by_query);
    const ops::Attention op{.heads = of_q.heads,
                            .kv_heads = of_q.heads,
                            .scale = static_cast<float>(chain->scale),
                            .causal = masks.is_causal,
                            .no_key = chain->no_key};
    const Value context = builder.add(op, std::move(inputs))[0];
    const Value apart = ops::reshape(context, {of_q.rows, of_q.steps, of_q.heads, of_v.width});
    contexts_[node.output()] = {apart, rank};
    const Value turned = of_q.heads == 1 ? apart : ops::transpose(apart, {0, 2, 1, 3});
    return Values{under_lengths(turned, node.output().shape().lengths())};
  }

  /// Of rank 3, what the first axis counts is told by how the queries lie: heads side by side, or rows.
  HeadLengths queries_of(const AttentionChain& chain, const std::vector<int64_t>& q) const {
    if (q.size() == 4) return {q[0], q[1], q[2], q[3]};
    const HeadLengths as_heads{1, q[0], q[1], q[2]}, as_rows{q[0], 1, q[1], q[2]};
    const bool has_mask = chain.mask || chain.allowed;
    return has_mask || operand_of_product(chain.queries, false, as_heads, slots_).is_apart ? as_rows : as_heads;
  }

  /// An attention that is one node already takes what was put together for it from where it lay before.
  std::optional<Values> moved_to_bases(GraphBuilder& builder, const Node& node, Values inputs) {
    const auto& op = *node.op.as<ops::Attention>();
    for (size_t i = 0; i < 3; ++i) {
      const Node* maker = node.input(i).node();
      const auto lengths = bound_lengths(node.input(i));
      if (!maker || !maker->op.is<ops::Reshape>() || !lengths || node.input(i).shape().count() == Dim(0)) continue;
      const int64_t heads = i == 0 ? op.heads : op.kv_heads;
      const HeadLengths of{(*lengths)[0], heads, (*lengths)[1], (*lengths)[2] / heads};
      const AttentionOperand operand = operand_together(node.input(i), of, slots_);
      if (operands_.has(operand)) inputs[i] = operands_.make(builder, {operand})[0];
    }
    return builder.add(op, std::move(inputs));
  }

  /// A transpose behind an attention puts its heads together, and they are, already.
  std::optional<Values> put_together(const Node& node) {
    const auto at = contexts_.find(node.input(0));
    if (at == contexts_.end()) {
      note_taken_apart(node);
      return std::nullopt;
    }
    const auto& [apart, rank] = at->second;
    if (rank == 3 && apart.shape()[0] != Dim(1)) return std::nullopt;
    // The context's axis k is axis of_apart[k] of [rows, Lq, heads, width]; of rank 3, rows are 1 and left out.
    const Axes of_apart = rank == 4 ? Axes{0, 2, 1, 3} : Axes{2, 1, 3};
    Axes order = rank == 4 ? Axes{} : Axes{0};
    for (const size_t axis : node.op.as<ops::Transpose>()->order(rank)) order.push_back(of_apart[axis]);
    const Value turned = is_identity(order) ? apart : ops::transpose(apart, order);
    return Values{under_lengths(turned, node.output().shape().lengths())};
  }

  /// Heads of an attention's context that a reader takes apart: [rows, Lq, heads, width] turned to [rows, heads, ..].
  void note_taken_apart(const Node& node) {
    const Node* apart = node.input(0).node();
    const Node* attention = apart && apart->op.is<ops::Reshape>() && apart->input(0) ? apart->input(0).node() : nullptr;
    if (!attention || !attention->op.is<ops::Attention>() || apart->input(0).output_index() != 0) return;
    const auto lengths = bound_lengths(apart->output()), whole = bound_lengths(apart->input(0));
    if (!lengths || !whole || lengths->size() != 4) return;
    const bool is_by_heads = (*lengths)[0] == (*whole)[0] && (*lengths)[1] == (*whole)[1];
    if (is_by_heads && node.op.as<ops::Transpose>()->order(4) == Axes{0, 2, 1, 3}) {
      contexts_[node.output()] = {made_.at(node.input(0)), 4};
    }
  }

  struct Context {
    Value apart;  ///< [rows, Lq, heads, width]
    size_t rank;
  };

  const Graph& graph_;
  Slots& slots_;
  std::unordered_map<Value, Value> made_;
  OperandMaker operands_;
  std::unordered_map<Value, Context> contexts_;
};

}  // namespace

Graph recognized_attention(const Graph& graph, Slots& slots) {
  // Most graphs have nothing like it, and stay as they are.
  const std::span<const Node* const> nodes = graph.nodes();
  const bool may_have_some = std::any_of(nodes.begin(), nodes.end(), [](const Node* node) {
    if (node->op.is<ops::Attention>()) return true;
    return node->op.is<ops::Softmax>() && node->output().shape().has_rank() && node->output().shape().rank() >= 3;
  });
  return may_have_some ? Recognizer(graph, slots).run() : graph;
}

}  // namespace causeway::passes
