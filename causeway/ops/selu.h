#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Scaled exponential linear unit: y = gamma * x where x > 0 and gamma * alpha * (e^x - 1) elsewhere.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   alpha, gamma: any finite numbers; the fixed point's unless stated.
/// Gradient   to x; at x = 0 gamma * alpha.
/// Source     https://onnx.ai/onnx/operators/onnx__Selu.html
struct Selu {
  static constexpr std::string_view kName = "Selu";
  static constexpr Keeps kKeeps = Keeps::Elements;
  float alpha = 1.6732632423543772f;
  float gamma = 1.0507009873554805f;

  static void fields(auto&& each) {
    each("alpha", &Selu::alpha);
    each("gamma", &Selu::gamma);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
