#include "causeway/passes/sink_transposes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "causeway/graph/rewrite.h"
#include "causeway/ops/batch_norm.h"
#include "causeway/ops/build.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/gather.h"
#include "causeway/ops/layer_norm.h"
#include "causeway/ops/mat_mul.h"
#include "causeway/ops/reshape.h"
#include "causeway/ops/transpose.h"
#include "causeway/ops/turning.h"
#include "causeway/ops/unsqueeze.h"
#include "causeway/reference/reference.h"

namespace causeway::passes {
namespace {

/// What still has to be done to a value of the new graph to make it the old graph's: its axes put in another order, or
/// the entries of its last axis taken in another order. Neither: nothing.
struct Pending {
  Axes axes;
  std::vector<int64_t> order;

  bool none() const { return axes.empty() && order.empty(); }
  friend bool operator==(const Pending&, const Pending&) = default;
};

std::vector<int64_t> undone(const std::vector<int64_t>& order) {
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}

/// An old graph's value in the new graph: a value there, and what still has to be done to it.
struct Placed {
  Value value;
  Pending left;
  /// A slot's numbers, moved.
  bool is_moved_slot = false;

  bool is_slot() const { return is_moved_slot || value.kind() == Value::Kind::Slot; }
};

class Sinker {
 public:
  Sinker(const Graph& graph, Slots& slots, const SinkOptions& options)
      : graph_(graph), builder_(slots), options_(options) {}

  Graph run() {
    builder_.fold_with(reference::folder());
    for (const Door& door : graph_.inputs()) {
      placed_[door.value].value = builder_.input(door.name, door.value.type(), door.axes);
    }
    for (const SlotUse& use : graph_.slots()) placed_[use.value].value = builder_.slot(use.path);
    for (const Node* node : graph_.nodes()) {
      const ScopeGuard scope = builder_.scope_of(*node->scope);
      std::vector<Placed> inputs;
      for (const Value& input : node->inputs) inputs.push_back(input ? placed_.at(input) : Placed{});
      const std::vector<Placed> outputs = sink(*node, inputs);
      for (size_t i = 0; i < node->outputs.size(); ++i) placed_[node->outputs[i]] = outputs[i];
    }
    for (const Door& door : graph_.outputs()) builder_.output(door.name, settled(placed_.at(door.value)), door.axes);
    for (const Assignment& assigned : graph_.assignments()) {
      builder_.assign(assigned.path, settled(placed_.at(assigned.value)));
    }
    for (const Value& guard : graph_.guards()) builder_.guard(settled(placed_.at(guard)));
    return std::move(builder_).finish();
  }

 private:
  // The old graph's value itself; a transpose that several ask for is made once.
  Value settled(const Placed& placed) {
    if (!placed.value || placed.left.none()) return placed.value;
    std::vector<std::pair<Pending, Value>>& made = settled_[placed.value];
    for (const auto& [left, value] : made) {
      if (left == placed.left) return value;
    }
    const Value value = placed.left.axes.empty() ? in_order(placed.value, -1, placed.left.order)
                                                 : ops::transpose(placed.value, placed.left.axes);
    made.emplace_back(placed.left, value);
    return value;
  }

  Value in_order(const Value& value, int64_t axis, const std::vector<int64_t>& order) {
    const Value indices = builder_.constant(Tensor::of_integers(order), "order");
    return builder_.add1(ops::Gather{.axis = axis}, {value, indices});
  }

  // Where only axes of length 1 change places beside the others, the numbers stay in order: an Unsqueeze says it all.
  static Value turned_slot(const Value& value, const Axes& axes) {
    const Node* made_by = value.node();
    const auto* unsqueeze = made_by ? made_by->op.as<ops::Unsqueeze>() : nullptr;
    if (!unsqueeze) return ops::transpose(value, axes);
    const size_t put_in = unsqueeze->axes.size();
    std::vector<int64_t> ones;
    size_t last = 0;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis] < put_in) {
        ones.push_back(static_cast<int64_t>(axis));
      } else if (axes[axis] < last) {
        return ops::transpose(value, axes);
      } else {
        last = axes[axis];
      }
    }
    return ops::unsqueeze(made_by->input(0), ones);
  }

  static Placed under(const Value& value, Pending left) {
    if (is_identity(left.axes)) left.axes.clear();
    if (std::is_sorted(left.order.begin(), left.order.end())) left.order.clear();
    return {value, std::move(left)};
  }

  std::vector<Placed> copied(const Node& node, const std::vector<Placed>& inputs) {
    Values settled_inputs;
    for (const Placed& input : inputs) settled_inputs.push_back(settled(input));
    return placed(builder_.add(node.op, std::move(settled_inputs)));
  }

  static std::vector<Placed> placed(const Values& values) {
    std::vector<Placed> all;
    for (const Value& value : values) all.push_back({value, {}});
    return all;
  }

  std::vector<Placed> sink(const Node& node, const std::vector<Placed>& inputs) {
    if (const auto* transpose = node.op.as<ops::Transpose>()) {
      if (inputs[0].is_slot() || !inputs[0].left.order.empty()) return copied(node, inputs);
      return {under(inputs[0].value, {composed(inputs[0].left.axes, transpose->axes), {}})};
    }
    const auto first =
        std::find_if(inputs.begin(), inputs.end(), [](const Placed& input) { return !input.left.none(); });
    if (first == inputs.end() || (options_.keeps && options_.keeps(node))) return copied(node, inputs);
    std::optional<std::vector<Placed>> passed = first->left.axes.empty()
                                                    ? through_order(node, inputs, first->left.order)
                                                    : through_axes(node, inputs, first->left.axes);
    return passed ? *passed : copied(node, inputs);
  }

  // A slot of fewer axes among an element-wise op's inputs, with axes of length 1 in front of its own, so that it can be
  // turned like the others.
  Node with_full_ranks(const Node& node, std::vector<Placed>& inputs, size_t rank) {
    Node full{.op = node.op, .scope = node.scope, .inputs = node.inputs, .outputs = node.outputs};
    for (size_t i = 0; i < inputs.size(); ++i) {
      Placed& input = inputs[i];
      if (!input.value || !input.is_slot() || !input.left.none() || input.value.shape().rank() >= rank) continue;
      if (input.value.shape().count() == Dim(1)) continue;
      std::vector<int64_t> in_front(rank - input.value.shape().rank());
      std::iota(in_front.begin(), in_front.end(), int64_t{0});
      input = {ops::unsqueeze(input.value, in_front), {}, true};
      full.inputs[i] = input.value;
    }
    return full;
  }

  std::optional<std::vector<Placed>> through_axes(const Node& original, std::vector<Placed> inputs, const Axes& axes) {
    if (options_.past_flattens) {
      if (std::optional<std::vector<Placed>> flat = through_flatten(original, inputs, axes)) return flat;
    }
    // A rule speaks of the first input's axes; where all are alike, of any input's.
    const bool is_elementwise = original.op.keeps() == Keeps::Elements;
    if (inputs[0].left.axes.empty() && !is_elementwise) return std::nullopt;
    const Node node = is_elementwise ? with_full_ranks(original, inputs, axes.size()) : original;
    const std::optional<Turned> turned = node.op.turned(node, axes);
    if (!turned) return std::nullopt;
    CAUSEWAY_CHECK(turned->inputs.size() == inputs.size(), "a turned op says an order for each input");
    Values fitting;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Placed& input = inputs[i];
      const Axes wanted = is_identity(turned->inputs[i]) ? Axes{} : turned->inputs[i];
      if (!input.value || (input.left.axes == wanted && input.left.order.empty())) {
        fitting.push_back(input.value);
      } else if (wanted.empty()) {
        fitting.push_back(settled(input));
      } else if (input.left.none() && (input.is_slot() || input.value.shape().count() == Dim(1))) {
        fitting.push_back(turned_slot(input.value, inverse(wanted)));
      } else {
        return std::nullopt;  // another computed value would have to be turned for it
      }
    }
    for (size_t i = 0; i < turned->lists.size() && i < fitting.size(); ++i) {
      fitting[i] = ops::turned_list(fitting[i], turned->lists[i], axes);
    }
    std::vector<Placed> outputs = placed(builder_.add(turned->op, fitting));
    for (size_t k = 0; k < outputs.size() && k < turned->outputs.size(); ++k) {
      outputs[k] = under(outputs[k].value, {turned->outputs[k], {}});
    }
    return outputs;
  }

  // Flattening all axes but the batch makes the order of axes an order of entries.
  std::optional<std::vector<Placed>> through_flatten(const Node& node, const std::vector<Placed>& inputs,
                                                     const Axes& axes) {
    const Shape& shape = inputs[0].value.shape();
    if (axes[0] != 0 || inputs[0].left.axes != axes || !shape.has_rank()) return std::nullopt;
    std::vector<int64_t> lengths;
    int64_t count = 1;
    for (size_t axis = 1; axis < shape.rank(); ++axis) {
      if (!shape[axis].is_number()) return std::nullopt;
      lengths.push_back(shape[axis].number());
      count *= lengths.back();
    }
    if (!flattens(node, count)) return std::nullopt;
    std::vector<int64_t> places(static_cast<size_t>(count));
    std::iota(places.begin(), places.end(), int64_t{0});
    Axes inner;
    for (size_t axis = 1; axis < axes.size(); ++axis) inner.push_back(axes[axis] - 1);
    const Tensor order = Tensor::of<int64_t>(lengths, places).permuted(inner);
    const std::span<const int64_t> taken = order.values<int64_t>();
    const Value row = builder_.add1(ops::Flatten{.axis = 1}, {inputs[0].value});
    return std::vector<Placed>{under(row, {{}, {taken.begin(), taken.end()}})};
  }

  // Whether a node makes [N, count] of [N, …].
  static bool flattens(const Node& node, int64_t count) {
    if (const auto* flatten = node.op.as<ops::Flatten>()) return flatten->axis == 1;
    if (!node.op.is<ops::Reshape>()) return false;
    const Shape& made = node.output().shape();
    return made.has_rank() && made.rank() == 2 && made[1] == Dim(count);
  }

  // What reads a row whose entries are still in another order: a matrix has its rows put in that order, and the order
  // ends; norms and element-wise ops have their slots put in it, and it goes on.
  std::optional<std::vector<Placed>> through_order(const Node& node, const std::vector<Placed>& inputs,
                                                   const std::vector<int64_t>& order) {
    const Pending left{{}, order};
    const std::vector<int64_t> back = undone(order);
    if (const auto* product = node.op.as<ops::MatMul>()) {
      const Placed& matrix = inputs[1];
      if (inputs[0].left != left || product->transpose_a || !matrix.is_slot() || matrix.value.shape().rank() != 2) {
        return std::nullopt;
      }
      return placed(
          builder_.add(node.op, {inputs[0].value, in_order(matrix.value, product->transpose_b ? 1 : 0, back)}));
    }
    if (!norms_last_axis(node) && node.op.keeps() != Keeps::Elements) return std::nullopt;
    Values fitting;
    for (const Placed& input : inputs) {
      if (!input.value || input.left == left) {
        fitting.push_back(input.value);
      } else if (input.left.none() && input.is_slot()) {
        const Shape& shape = input.value.shape();
        const bool along = shape.rank() > 0 && shape.at(-1) == Dim(static_cast<int64_t>(order.size()));
        fitting.push_back(along ? in_order(input.value, -1, back) : input.value);
      } else {
        return std::nullopt;
      }
    }
    std::vector<Placed> outputs = placed(builder_.add(node.op, fitting));
    for (Placed& output : outputs) output.left = left;
    return outputs;
  }

  static bool norms_last_axis(const Node& node) {
    const auto rank = static_cast<int64_t>(node.input(0).shape().rank());
    const auto is_last = [&](int64_t axis) { return axis == -1 || axis == rank - 1; };
    if (const auto* batch = node.op.as<ops::BatchNorm>()) return is_last(batch->axis);
    const auto* layer = node.op.as<ops::LayerNorm>();
    return layer && layer->axes.size() == 1 && is_last(layer->axes[0]);
  }

  const Graph& graph_;
  GraphBuilder builder_;
  const SinkOptions& options_;
  std::unordered_map<Value, Placed> placed_;
  std::unordered_map<Value, std::vector<std::pair<Pending, Value>>> settled_;
};

}  // namespace

Graph sunk_transposes(const Graph& graph, Slots& slots, const SinkOptions& options) {
  return Sinker(graph, slots, options).run();
}

}  // namespace causeway::passes
