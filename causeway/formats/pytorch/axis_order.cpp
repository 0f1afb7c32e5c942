#include "causeway/formats/pytorch/axis_order.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "causeway/ops/op_list.h"

namespace causeway::formats::pytorch {
namespace {

size_t rank_of(const Value& value) { return value && value.shape().has_rank() ? value.shape().rank() : 0; }

/// Whether an op without a layout of its own works along places: padding, dropout of whole channels, a
/// pooling over all places that keeps their axes.
bool works_along_places(const Op& op) {
  if (const auto* dropout = op.as<ops::Dropout>()) return !dropout->shared_axes.empty();
  if (const auto* reduce = op.as<ops::Reduce>()) return reduce->keepdims;
  return op.is<ops::Pad>();
}

bool normalizes_last_axis_of_series(const Node& node) {
  const auto* norm = node.op.as<ops::LayerNorm>();
  if (!norm || rank_of(node.input(0)) != 3 || norm->axes.size() != 1) return false;
  return norm->axes[0] == -1 || norm->axes[0] == 2;
}

/// The input whose order a node passes on: its first that is computed and of its own rank.
Value passed_on(const Node& node) {
  for (const Value& input : node.inputs) {
    if (input && input.kind() != Value::Kind::Slot && rank_of(input) == rank_of(node.output())) return input;
  }
  return {};
}

/// Whether each example stays one: what puts steps beside examples ([N, L, C] to [N * L, C]) is no flatten.
bool keeps_rows(const Node& node) { return node.input(0).shape()[0] == node.output().shape()[0]; }

}  // namespace

bool works_along_places(const Scope& scope) {
  constexpr std::string_view kKinds[] = {"AdaptiveAveragePooling", "AdaptiveMaxPooling", "Resizing", "UpSampling"};
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](std::string_view kind) { return scope.kind.starts_with(kind); });
}

bool flattens(const Node& node) {
  const Value x = node.input(0);
  if (rank_of(x) < 3 || rank_of(node.output()) != 2 || !keeps_rows(node)) return false;
  if (const auto* flatten = node.op.as<ops::Flatten>()) return flatten->axis == 1;
  return node.op.is<ops::Reshape>();
}

bool unflattens(const Node& node) {
  return node.op.is<ops::Reshape>() && rank_of(node.input(0)) == 2 && rank_of(node.output()) > 2 && keeps_rows(node);
}

AxisOrders::AxisOrders(const Graph& graph) {
  for (const Door& door : graph.inputs()) {
    const bool is_channels_first = door.axes.size() > 2 && door.axes[1] == 'C' && door.axes.back() != 'C';
    if (is_channels_first) channels_first_inputs_.insert(door.value);
  }
}

AxisOrder AxisOrders::of(const Value& value) {
  const auto known = known_.find(value);
  if (known != known_.end()) return known->second;
  // From the top down, so that no depth of the graph becomes a depth of calls.
  std::vector<Value> way{value};
  while (true) {
    const Value last = way.back();
    const Node* const node = last.kind() == Value::Kind::Output ? last.node() : nullptr;
    const Value above = node ? passed_on(*node) : Value();
    if (!above || known_.count(above) != 0) break;
    way.push_back(above);
  }
  for (size_t i = way.size(); i-- > 0;) known_[way[i]] = found(way[i]);
  return known_.at(value);
}

AxisOrder AxisOrders::found(const Value& value) {
  const size_t rank = rank_of(value);
  if (rank < 3 || value.kind() == Value::Kind::Slot) return AxisOrder::AsHere;
  if (value.kind() == Value::Kind::Output) return found_by(*value.node());
  if (channels_first_inputs_.count(value) != 0) return AxisOrder::AsHere;
  return rank == 3 ? AxisOrder::NotKnown : AxisOrder::ChannelsFirst;
}

AxisOrder AxisOrders::found_by(const Node& node) {
  const Op& op = node.op;
  if (works_along_places(*node.scope)) return AxisOrder::ChannelsFirst;
  if (const std::optional<ops::WindowAxes> window = ops::window_axes(op)) {
    return window->layout == ops::Layout::ChannelsLast ? AxisOrder::ChannelsFirst : AxisOrder::AsHere;
  }
  const bool fixes_channels_last =
      op.is<ops::MatMul>() || op.is<ops::Gather>() || op.is<ops::Transpose>() || normalizes_last_axis_of_series(node);
  if (fixes_channels_last) return AxisOrder::AsHere;
  if (op.is<ops::Reshape>()) return rank_of(node.output()) == 3 ? AxisOrder::NotKnown : AxisOrder::ChannelsFirst;

  const Value above = passed_on(node);
  const AxisOrder order = above ? known_.at(above) : AxisOrder::AsHere;
  if (order == AxisOrder::NotKnown && works_along_places(op)) return AxisOrder::ChannelsFirst;
  // Whatever else makes a series (a recurrent layer, attention) has its channels last in PyTorch too.
  return op.keeps() != Keeps::Nothing || works_along_places(op) ? order : AxisOrder::AsHere;
}

}  // namespace causeway::formats::pytorch
