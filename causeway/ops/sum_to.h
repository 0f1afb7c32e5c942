#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Adds up what broadcasting spread: x is summed along every axis along which a tensor of `lengths` was spread to the
/// shape of x. Where none was, it is x.
///
/// Shapes     x [any]; lengths [rank of y] int64, which broadcasts to the shape of x; y has these lengths.
/// Gradient   dy, spread to the shape of x.
struct SumTo {
  static constexpr std::string_view kName = "SumTo";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
