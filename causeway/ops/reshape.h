#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// The same numbers in order under other lengths. A length 0 copies that of x in its place, one -1 takes what is left.
///
/// Shapes     x [any]; lengths [rank of y] int64; as many elements in y as in x.
/// Settings   allow_zero: a length 0 means 0.
/// Gradient   dy under the lengths of x.
/// Source     https://onnx.ai/onnx/operators/onnx__Reshape.html
struct Reshape {
  static constexpr std::string_view kName = "Reshape";
  bool allow_zero = false;

  static void fields(auto&& each) { each("allow_zero", &Reshape::allow_zero); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
