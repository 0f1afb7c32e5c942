#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// y = a where the condition holds, and b elsewhere.
///
/// Shapes     condition [any] bool; a, b [any] of one dtype. All three broadcast; y has the dtype of a and b.
/// Gradient   dy to a where the condition holds, to b elsewhere, 0 in the other places; none to the condition. An
///            infinite or NaN dy where an operand was not chosen does not reach it.
/// Source     https://onnx.ai/onnx/operators/onnx__Where.html
struct Where {
  static constexpr std::string_view kName = "Where";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
