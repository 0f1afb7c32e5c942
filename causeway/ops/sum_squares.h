#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// The sum of the squares of all elements, taken in double and in a fixed order: what a gradient's norm is made of.
///
/// Shapes     x [any] float32; y [] float64.
/// Gradient   2 * dy * x, in float32.
struct SumSquares {
  static constexpr std::string_view kName = "SumSquares";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
