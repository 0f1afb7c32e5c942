#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Other order of axes: axis i of y is axis axes[i] of x.
///
/// Shapes     x, y [any].
/// Settings   axes: each axis of x once; none: the other way round.
/// Gradient   dy in the order that undoes it.
/// Source     https://onnx.ai/onnx/operators/onnx__Transpose.html
struct Transpose {
  static constexpr std::string_view kName = "Transpose";
  std::vector<size_t> axes = {};

  static void fields(auto&& each) { each("axes", &Transpose::axes); }
  /// The order of axes, stated or the other way round.
  Axes order(size_t rank) const;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
