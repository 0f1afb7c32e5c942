#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Spreads x to the shape that it and `lengths` broadcast to.
///
/// Shapes     x [any]; lengths [n] int64; y: broadcast both ways, so a 1 in lengths keeps the length of x.
/// Gradient   dy summed over what was spread.
/// Source     https://onnx.ai/onnx/operators/onnx__Expand.html
struct Expand {
  static constexpr std::string_view kName = "Expand";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
