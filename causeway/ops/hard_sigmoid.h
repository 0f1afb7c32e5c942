#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Hard sigmoid: y = min(max(alpha * x + beta, 0), 1).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   alpha, beta: any finite numbers; 0.2 and 0.5 unless stated (PyTorch and Keras: 1/6 and 0.5).
/// Gradient   dy * alpha inside; 0 where y is 0 or 1.
/// Source     https://onnx.ai/onnx/operators/onnx__HardSigmoid.html
struct HardSigmoid {
  static constexpr std::string_view kName = "HardSigmoid";
  static constexpr Keeps kKeeps = Keeps::Elements;
  float alpha = 0.2f;
  float beta = 0.5f;

  static void fields(auto&& each) {
    each("alpha", &HardSigmoid::alpha);
    each("beta", &HardSigmoid::beta);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
