#include "causeway/formats/pytorch/readers.h"

#include <deque>
#include <unordered_set>

#include "causeway/graph/slot.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::pytorch {

Readers::Readers(const Graph& graph) {
  for (const Node* node : graph.nodes()) {
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      if (node->inputs[i]) readers_[node->inputs[i]].push_back({node, i});
    }
  }
}

const std::vector<Readers::Reader>& Readers::of(const Value& value) const {
  static const std::vector<Reader> kNone;
  const auto found = readers_.find(value);
  return found == readers_.end() ? kNone : found->second;
}

template <class Each>
void Readers::walk_below(const Value& value, const Each& each) const {
  std::deque<Value> left{value};
  std::unordered_set<const Node*> seen;
  while (!left.empty()) {
    const Value at = left.front();
    left.pop_front();
    for (const Reader& reader : of(at)) {
      if (!seen.insert(reader.node).second) continue;
      if (!each(*reader.node)) continue;
      for (const Value& output : reader.node->outputs) left.push_back(output);
    }
  }
}

AxisOrder Readers::order_below(const Value& value) const {
  AxisOrder order = AxisOrder::NotKnown;
  walk_below(value, [&](const Node& node) {
    if (order != AxisOrder::NotKnown) return false;
    if (works_along_places(*node.scope)) {
      order = AxisOrder::ChannelsFirst;
    } else if (const std::optional<ops::WindowAxes> window = ops::window_axes(node.op)) {
      order = window->layout == ops::Layout::ChannelsLast ? AxisOrder::ChannelsFirst : AxisOrder::AsHere;
    } else if (node.op.is<ops::Transpose>() || node.op.is<ops::MatMul>()) {
      order = AxisOrder::AsHere;
    }
    return node.op.keeps() != Keeps::Nothing;
  });
  return order;
}

std::string Readers::slot_below(const Value& row, const Slots& slots) const {
  std::string path;
  walk_below(row, [&](const Node& node) {
    for (const Value& input : node.inputs) {
      const bool is_slot = path.empty() && input && input.kind() == Value::Kind::Slot;
      if (is_slot && slots.at(input.name()).role != Role::Constant) path = input.name();
    }
    return path.empty() && node.op.keeps() != Keeps::Nothing;
  });
  return path;
}

}  // namespace causeway::formats::pytorch
