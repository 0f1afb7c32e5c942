#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Swish, or SiLU where alpha is 1: y = x * sigmoid(alpha * x).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   alpha: any finite number; 1 unless stated.
/// Gradient   to x, smooth everywhere.
/// Source     https://onnx.ai/onnx/operators/onnx__Swish.html
struct Swish {
  static constexpr std::string_view kName = "Swish";
  static constexpr Keeps kKeeps = Keeps::Elements;
  float alpha = 1.0f;

  static void fields(auto&& each) { each("alpha", &Swish::alpha); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
