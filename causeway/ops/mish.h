#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Mish: y = x * tanh(softplus(x)).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Gradient   to x, smooth everywhere.
/// Source     https://onnx.ai/onnx/operators/onnx__Mish.html
struct Mish {
  static constexpr std::string_view kName = "Mish";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
