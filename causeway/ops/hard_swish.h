#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Hard swish: y = x * min(max(x + 3, 0), 6) / 6.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Gradient   to x; 0 at x = -3 and 1 at x = 3, as in PyTorch.
/// Source     https://onnx.ai/onnx/operators/onnx__HardSwish.html
struct HardSwish {
  static constexpr std::string_view kName = "HardSwish";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
