#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Hyperbolic tangent, element by element.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Gradient   dy * (1 - y * y).
/// Source     https://onnx.ai/onnx/operators/onnx__Tanh.html
struct Tanh {
  static constexpr std::string_view kName = "Tanh";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
