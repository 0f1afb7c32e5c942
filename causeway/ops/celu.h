#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Continuously differentiable ELU: y = max(x, 0) + min(0, alpha * (e^(x / alpha) - 1)).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   alpha: any finite number but 0; 1 unless stated.
/// Gradient   to x; at x = 0 one.
/// Source     https://onnx.ai/onnx/operators/onnx__Celu.html
struct Celu {
  static constexpr std::string_view kName = "Celu";
  static constexpr Keeps kKeeps = Keeps::Elements;
  float alpha = 1.0f;

  static void fields(auto&& each) { each("alpha", &Celu::alpha); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
