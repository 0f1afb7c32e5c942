#include "causeway/formats/onnx/channels_first.h"

#include <optional>

#include "causeway/graph/rewrite.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/ops/turning.h"
#include "causeway/ops/windowed.h"
#include "causeway/passes/sink_transposes.h"

namespace causeway::formats::onnx {
namespace {

/// Whether an op has its channels last and ONNX's has them on axis 1.
bool has_channels_last(const Node& node) {
  if (const std::optional<ops::WindowAxes> window = ops::window_axes(node.op)) {
    return window->layout == ops::Layout::ChannelsLast;
  }
  const auto* norm = node.op.as<ops::BatchNorm>();
  const Shape& shape = node.input(0).shape();
  return norm && shape.has_rank() && shape.rank() > 2 && axis_in(norm->axis, shape.rank()) == shape.rank() - 1;
}

std::optional<Values> turned(GraphBuilder& graph, const Node& node, const Values& inputs) {
  if (!has_channels_last(node)) return std::nullopt;
  const Shape& shape = node.input(0).shape();
  if (!shape.has_rank()) return std::nullopt;
  // x = transpose(x', order), x' with its channels on axis 1.
  Axes order{0};
  for (size_t axis = 2; axis < shape.rank(); ++axis) order.push_back(axis);
  order.push_back(1);
  const std::optional<Turned> turned = node.op.turned(node, order);
  if (!turned) return std::nullopt;
  const auto put = [](const Value& value, const Axes& axes) {
    return !value || is_identity(axes) ? value : ops::transpose(value, axes);
  };
  Values fitting;
  for (size_t i = 0; i < inputs.size(); ++i) fitting.push_back(put(inputs[i], inverse(turned->inputs[i])));
  for (size_t i = 0; i < turned->lists.size() && i < fitting.size(); ++i) {
    fitting[i] = ops::turned_list(fitting[i], turned->lists[i], order);
  }
  Values outputs = graph.add(turned->op, fitting);
  for (size_t k = 0; k < outputs.size(); ++k) outputs[k] = put(outputs[k], turned->outputs[k]);
  return outputs;
}

}  // namespace

Graph with_channels_first(const Graph& graph, Slots& slots) {
  bool any = false;
  for (const Node* node : graph.nodes()) any = any || has_channels_last(*node);
  if (!any) return graph;
  const Graph apart = rewritten(graph, slots, turned);
  const auto has_one_form = [](const Node& node) { return ops::window_axes(node.op) || node.op.is<ops::BatchNorm>(); };
  const Graph sunk = passes::sunk_transposes(apart, slots, {.past_flattens = false, .keeps = has_one_form});
  return passes::folded_slot_turns(sunk, slots);
}

}  // namespace causeway::formats::onnx
