#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Looks up places along one axis. An index below 0 counts from the end; one out of range is refused from run, with its
/// place.
///
/// Shapes     x [any]; indices [any] int64 or int32; y: the axis of x replaced by the axes of indices.
/// Settings   axis: from the end where negative. held_row: a place of x to which no gradient flows.
/// Gradient   ScatterAdd to x; none to the indices.
/// Source     https://onnx.ai/onnx/operators/onnx__Gather.html
struct Gather {
  static constexpr std::string_view kName = "Gather";
  int64_t axis = 0;
  std::optional<int64_t> held_row = std::nullopt;

  static void fields(auto&& each) {
    each("axis", &Gather::axis);
    each("held_row", &Gather::held_row);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
