#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Rectified linear unit: y = x where x > 0 and 0 elsewhere, element by element; NaN stays.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, floating or integer.
/// Gradient   dy where x > 0; 0 at x = 0, as in PyTorch.
/// Source     https://onnx.ai/onnx/operators/onnx__Relu.html
struct Relu {
  static constexpr std::string_view kName = "Relu";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
