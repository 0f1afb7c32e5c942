#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Softsign: y = x / (1 + |x|).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Gradient   dy / (1 + |x|)^2.
/// Source     https://onnx.ai/onnx/operators/onnx__Softsign.html
struct Softsign {
  static constexpr std::string_view kName = "Softsign";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
