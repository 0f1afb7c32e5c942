#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Leaky ReLU: y = x where x >= 0 and slope * x elsewhere, element by element.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   slope: a plain factor, any finite number; 0.01 unless stated.
/// Gradient   to x; at x = 0 the slope applies, as in PyTorch.
/// Source     https://onnx.ai/onnx/operators/onnx__LeakyRelu.html
struct LeakyRelu {
  static constexpr std::string_view kName = "LeakyRelu";
  static constexpr Keeps kKeeps = Keeps::Elements;
  float slope = 0.01f;

  static void fields(auto&& each) { each("slope", &LeakyRelu::slope); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
