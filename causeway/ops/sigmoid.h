#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Logistic sigmoid: y = 1 / (1 + e^-x), without overflow at either end.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Gradient   dy * y * (1 - y).
/// Source     https://onnx.ai/onnx/operators/onnx__Sigmoid.html
struct Sigmoid {
  static constexpr std::string_view kName = "Sigmoid";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
