#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Zeros, and the updates added to them where the indices say, in the order of the indices: the gradient of Gather.
///
/// Shapes     indices [any] int64 or int32, as Gather's; updates as its y; lengths [rank] int64, of y.
/// Settings   axis: from the end where negative.
/// Gradient   Gather to the updates.
struct ScatterAdd {
  static constexpr std::string_view kName = "ScatterAdd";
  int64_t axis = 0;

  static void fields(auto&& each) { each("axis", &ScatterAdd::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
