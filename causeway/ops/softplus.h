#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Softplus: y = log(1 + e^x), worked as max(x, 0) + log1p(e^-|x|), exact at both ends.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Gradient   dy * sigmoid(x).
/// Source     https://onnx.ai/onnx/operators/onnx__Softplus.html
struct Softplus {
  static constexpr std::string_view kName = "Softplus";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
