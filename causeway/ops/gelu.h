#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Gaussian error linear unit: y = x * (1 + erf(x / sqrt(2))) / 2.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   tanh_form: x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2 instead.
/// Gradient   to x, smooth everywhere.
/// Source     https://onnx.ai/onnx/operators/onnx__Gelu.html
struct Gelu {
  static constexpr std::string_view kName = "Gelu";
  static constexpr Keeps kKeeps = Keeps::Elements;
  bool tanh_form = false;

  static void fields(auto&& each) { each("tanh_form", &Gelu::tanh_form); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
