#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "causeway/graph/rewrite.h"
#include "causeway/ops/gather.h"
#include "causeway/ops/transpose.h"
#include "causeway/ops/unsqueeze.h"
#include "causeway/passes/sink_transposes.h"
#include "causeway/reference/reference.h"

namespace causeway::passes {
namespace {

// A node that only moves numbers of a slot: its op, and the indices a Gather reads.
struct SlotTurn {
  const Node* node = nullptr;
  std::optional<Tensor> indices;

  bool same_as(const SlotTurn& other) const {
    if (!(node->op == other.node->op) || indices.has_value() != other.indices.has_value()) return false;
    return !indices || indices->same_bits(*other.indices);
  }
};

std::optional<SlotTurn> turn_of(const Node& node, const Slots& slots) {
  const Value slot = node.input(0);
  if (!slot || slot.kind() != Value::Kind::Slot) return std::nullopt;
  if (node.op.is<ops::Transpose>() || node.op.is<ops::Unsqueeze>()) return SlotTurn{&node, std::nullopt};
  if (!node.op.is<ops::Gather>() || node.input(1).kind() != Value::Kind::Slot) return std::nullopt;
  const Slot& indices = slots.at(node.input(1).name());
  // Only an order of the whole axis moves numbers; a choice of some of them does not.
  if (indices.role != Role::Constant || node.output().shape() != slot.shape()) return std::nullopt;
  return SlotTurn{&node, indices.numbers};
}

/// Axes of a slot as they stand in what is made of it.
std::vector<size_t> moved_axes(const Op& op, std::vector<size_t> axes) {
  if (const auto* transpose = op.as<ops::Transpose>(); transpose && !transpose->axes.empty()) {
    const Axes places = inverse(transpose->axes);
    for (size_t& axis : axes) axis = places[axis];
  } else if (const auto* unsqueeze = op.as<ops::Unsqueeze>()) {
    // New axes are named from the start here, in ascending order.
    for (size_t& axis : axes) {
      for (const int64_t put_in : unsqueeze->axes) axis += put_in <= static_cast<int64_t>(axis) ? 1 : 0;
    }
  }
  return axes;
}

// One layer of turns; none where no slot has any to put in.
std::optional<Graph> folded_once(const Graph& graph, Slots& slots) {
  std::map<std::string, std::vector<SlotTurn>> turns;
  std::unordered_map<Value, size_t> turned_uses;
  for (const Node* node : graph.nodes()) {
    if (std::optional<SlotTurn> turn = turn_of(*node, slots)) {
      turns[node->input(0).name()].push_back(*turn);
      ++turned_uses[node->input(0)];
    }
  }
  std::unordered_map<const Node*, bool> gone;
  for (const auto& [path, nodes] : turns) {
    const Value slot = nodes.front().node->input(0);
    bool alike = turned_uses[slot] == graph.uses(slot);
    for (const SlotTurn& turn : nodes) alike = alike && turn.same_as(nodes.front());
    if (!alike) continue;
    for (const SlotTurn& turn : nodes) gone[turn.node] = true;
    Slot& changed = slots.at(path);
    const SlotTurn& turn = nodes.front();
    const std::vector<Tensor> inputs =
        turn.indices ? std::vector{changed.numbers, *turn.indices} : std::vector{changed.numbers};
    if (changed.max_norm) changed.max_norm->axes = moved_axes(turn.node->op, changed.max_norm->axes);
    changed.numbers = reference::compute(turn.node->op, inputs)[0];
    ++changed.version;
  }
  if (gone.empty()) return std::nullopt;
  GraphBuilder builder(slots);
  builder.fold_with(reference::folder());
  const ValueMap made = copy_nodes(builder, graph, [&](GraphBuilder&, const Node& node, const Values& inputs) {
    return gone.contains(&node) ? std::optional<Values>({inputs[0]}) : std::nullopt;
  });
  for (const Door& door : graph.outputs()) builder.output(door.name, made.at(door.value), door.axes);
  for (const Assignment& assigned : graph.assignments()) builder.assign(assigned.path, made.at(assigned.value));
  for (const Value& guard : graph.guards()) builder.guard(made.at(guard));
  return std::move(builder).finish();
}

}  // namespace

Graph folded_slot_turns(const Graph& graph, Slots& slots) {
  Graph folded = graph;
  while (std::optional<Graph> next = folded_once(folded, slots)) folded = *std::move(next);
  return folded;
}

}  // namespace causeway::passes
