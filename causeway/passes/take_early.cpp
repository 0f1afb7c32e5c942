#include "causeway/passes/take_early.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "causeway/graph/rewrite.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/attention_chain.h"
#include "causeway/passes/attention_operands.h"
#include "causeway/passes/strided_view.h"

namespace causeway::passes {
namespace {

using Lengths = std::vector<int64_t>;

/// Places start, start + step, … of an axis, `count` of them.
struct Taken {
  size_t axis = 0;
  int64_t start = 0, step = 1, count = 1;

  friend bool operator==(const Taken&, const Taken&) = default;
};
/// What is read of a value: some places, or none: the whole.
using Wanted = std::optional<Taken>;

/// What a node takes of its first input, where it does nothing else and half of that or less is taken.
std::optional<Taken> taking(const Node& node, const Slots& slots) {
  if (!node.op.is<ops::Gather>() && !node.op.is<ops::Slice>()) return std::nullopt;
  const auto x = bound_lengths(node.input(0));
  if (!x || !bound_lengths(node.output()) || node.input(0).shape().count() == Dim(0)) return std::nullopt;
  const StridedView view = strided_view(node.output(), slots, 1);
  if (view.base != node.input(0)) return std::nullopt;
  const Lengths strides = dense_strides(*x);
  std::optional<size_t> axis;
  if (const auto* gather = node.op.as<ops::Gather>()) {
    axis = axis_in(gather->axis, x->size());
  } else {
    for (size_t i = 0; i < x->size(); ++i) {
      if (view.lengths[i] == (*x)[i] && view.strides[i] == strides[i]) continue;
      if (axis) return std::nullopt;
      axis = i;
    }
  }
  if (!axis) return std::nullopt;
  Taken taken{*axis, view.offset / strides[*axis], 1, 1};
  if (view.lengths.size() == x->size()) {
    taken.count = view.lengths[*axis];
    if (taken.count > 1) taken.step = view.strides[*axis] / strides[*axis];
  }
  return taken.count > 0 && 2 * taken.count <= (*x)[*axis] ? std::optional(taken) : std::nullopt;
}

/// The same places of an operand that is broadcast to an output of that rank; the whole where it repeats along the axis.
Wanted of_operand(const Taken& taken, const Value& operand, size_t rank) {
  const Lengths lengths = *bound_lengths(operand);
  const size_t missing = rank - lengths.size();
  if (taken.axis < missing || lengths[taken.axis - missing] == 1) return std::nullopt;
  Taken own = taken;
  own.axis -= missing;
  return own;
}

/// What a node reads of each input to make these places of its output; none where it has to make all.
std::optional<std::vector<Wanted>> passed_on(const Node& node, const Taken& taken) {
  std::vector<Wanted> wanted(node.inputs.size());
  for (const Value& input : node.inputs) {
    if (input && !bound_lengths(input)) return std::nullopt;
  }
  const Lengths y = *bound_lengths(node.output());
  const auto rank_of = [&](size_t i) { return node.input(i).shape().rank(); };
  if (node.op.keeps() == Keeps::Elements || ops::is_noise(node.op)) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (node.inputs[i]) wanted[i] = of_operand(taken, node.inputs[i], y.size());
    }
    return wanted;
  }
  if (const auto* product = node.op.as<ops::MatMul>()) {
    // Rows of the product are rows of a.
    const bool is_row = rank_of(0) == y.size() && rank_of(1) >= 2 &&
                        (rank_of(1) == 2 ? taken.axis + 1 < y.size() : taken.axis + 2 == y.size());
    if (product->transpose_a || !is_row) return std::nullopt;
    wanted[0] = taken;
    return wanted;
  }
  if (const auto* norm = node.op.as<ops::LayerNorm>()) {
    for (const int64_t axis : norm->axes) {
      if (axis_in(axis, y.size()) == taken.axis) return std::nullopt;
    }
    wanted[0] = taken;
    return wanted;
  }
  if (const auto* softmax = node.op.as<ops::Softmax>()) {
    if (axis_in(softmax->axis, y.size()) == taken.axis) return std::nullopt;
    wanted[0] = taken;
    return wanted;
  }
  if (const auto* turn = node.op.as<ops::Transpose>()) {
    wanted[0] = taken;
    wanted[0]->axis = turn->order(y.size())[taken.axis];
    return wanted;
  }
  if (node.op.is<ops::Reshape>()) {
    // The axes up to this one stay as they are.
    const Lengths x = *bound_lengths(node.input(0));
    const auto end = static_cast<std::ptrdiff_t>(taken.axis + 1);
    if (x.size() <= taken.axis || !std::equal(y.begin(), y.begin() + end, x.begin())) return std::nullopt;
    wanted[0] = taken;
    return wanted;
  }
  if (const auto* attention = node.op.as<ops::Attention>()) {
    const bool has_query_mask = node.input(4) || node.input(5);
    if (taken.axis != 1 || attention->causal || has_query_mask) return std::nullopt;
    wanted[0] = taken;
    return wanted;
  }
  return std::nullopt;
}

class EarlyTaker {
 public:
  EarlyTaker(const Graph& graph, Slots& slots) : graph_(graph), slots_(slots) {}

  Graph run() {
    find_wanted();
    if (small_.empty()) return graph_;
    return rewritten(graph_, slots_, [&](GraphBuilder& builder, const Node& node, Values inputs) {
      return small_.contains(&node) ? made_small(builder, node, std::move(inputs)) : taken(node, inputs);
    });
  }

 private:
  // From the outputs back: a value is wanted in part where all its readers want the same part.
  void find_wanted() {
    for (const Door& door : graph_.outputs()) want(door.value, std::nullopt);
    for (const Assignment& assigned : graph_.assignments()) want(assigned.value, std::nullopt);
    for (const Value& guard : graph_.guards()) want(guard, std::nullopt);
    const std::span<const Node* const> nodes = graph_.nodes();
    for (size_t i = nodes.size(); i-- > 0;) {
      const Node& node = *nodes[i];
      std::vector<Wanted> wanted(node.inputs.size());
      if (const auto all = is_small(node)) {
        wanted = *all;
        small_.insert(&node);
      } else if (const std::optional<Taken> taken = taking(node, slots_)) {
        wanted[0] = taken;
      }
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        if (node.inputs[k]) want(node.inputs[k], wanted[k]);
      }
    }
  }

  void want(const Value& value, const Wanted& wanted) {
    const auto [at, is_new] = wanted_.try_emplace(value, wanted);
    if (!is_new && at->second != wanted) at->second = std::nullopt;
  }

  std::optional<std::vector<Wanted>> is_small(const Node& node) const {
    for (size_t i = 1; i < node.outputs.size(); ++i) {
      if (wanted_.contains(node.outputs[i])) return std::nullopt;
    }
    const auto at = wanted_.find(node.output());
    return at != wanted_.end() && at->second && bound_lengths(node.output()) ? passed_on(node, *at->second)
                                                                             : std::nullopt;
  }

  bool is_made_small(const Value& value) const { return value.node() && small_.contains(value.node()); }

  std::optional<Values> made_small(GraphBuilder& builder, const Node& node, Values inputs) {
    const std::vector<Wanted> wanted = *passed_on(node, *wanted_.at(node.output()));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (wanted[i] && !is_made_small(node.inputs[i])) inputs[i] = part(inputs[i], *wanted[i]);
    }
    if (!node.op.is<ops::Reshape>()) return builder.add(node.op, std::move(inputs));
    const Taken& taken = *wanted_.at(node.output());
    Lengths lengths = *bound_lengths(node.output());
    lengths[taken.axis] = taken.count;
    return Values{under_lengths(inputs[0], lengths)};
  }

  // The same part of a value is taken once.
  Value part(const Value& value, const Taken& taken) {
    for (const auto& [whole, of, made] : parts_) {
      if (whole == value && of == taken) return made;
    }
    const int64_t end = taken.start + (taken.count - 1) * taken.step + 1;
    const Value made = ops::slice(value, static_cast<int64_t>(taken.axis), taken.start, end, taken.step);
    parts_.push_back({value, taken, made});
    return made;
  }

  /// What was taken before is handed on, under its own lengths.
  std::optional<Values> taken(const Node& node, const Values& inputs) const {
    if (!node.input(0) || !is_made_small(node.input(0)) || !taking(node, slots_)) return std::nullopt;
    return Values{under_lengths(inputs[0], *bound_lengths(node.output()))};
  }

  struct Part {
    Value whole;
    Taken of;
    Value made;
  };
  const Graph& graph_;
  Slots& slots_;
  std::unordered_map<Value, Wanted> wanted_;
  std::unordered_set<const Node*> small_;
  std::vector<Part> parts_;
};

}  // namespace

Graph taken_early(const Graph& graph, Slots& slots) {
  const std::span<const Node* const> nodes = graph.nodes();
  const bool any =
      std::any_of(nodes.begin(), nodes.end(), [&](const Node* node) { return bool(taking(*node, slots)); });
  return any ? EarlyTaker(graph, slots).run() : graph;
}

}  // namespace causeway::passes
