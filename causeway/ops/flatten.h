#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// A matrix: the axes before `axis` become its rows, the others its columns.
///
/// Shapes     x [any]; y [rows, columns].
/// Settings   axis: 0 … rank, from the end where negative; 0 gives one row.
/// Gradient   dy under the lengths of x.
/// Source     https://onnx.ai/onnx/operators/onnx__Flatten.html
struct Flatten {
  static constexpr std::string_view kName = "Flatten";
  int64_t axis = 1;

  static void fields(auto&& each) { each("axis", &Flatten::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
