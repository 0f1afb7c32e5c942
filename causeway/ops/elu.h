#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Exponential linear unit: y = x where x > 0 and alpha * (e^x - 1) elsewhere.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   alpha: any finite number; 1 unless stated.
/// Gradient   to x; at x = 0 alpha.
/// Source     https://onnx.ai/onnx/operators/onnx__Elu.html
struct Elu {
  static constexpr std::string_view kName = "Elu";
  static constexpr Keeps kKeeps = Keeps::Elements;
  float alpha = 1.0f;

  static void fields(auto&& each) { each("alpha", &Elu::alpha); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
