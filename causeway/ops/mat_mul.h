#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Matrix product as NumPy's matmul: the last two axes are multiplied, those before them broadcast. A first operand of
/// rank 1 is a row, a second one a column, and y has no axis for it.
///
/// Shapes     a [.., m, k], b [.., k, n] of one dtype; y [.., m, n].
/// Settings   transpose_a, transpose_b: the operand's last two axes stand the other way round; not for rank 1.
/// Gradient   dy * b' to a, a' * dy to b, summed over what was spread.
/// Source     https://onnx.ai/onnx/operators/onnx__MatMul.html
struct MatMul {
  static constexpr std::string_view kName = "MatMul";
  bool transpose_a = false;
  bool transpose_b = false;

  static void fields(auto&& each) {
    each("transpose_a", &MatMul::transpose_a);
    each("transpose_b", &MatMul::transpose_b);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
