#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Blocks along one axis: an output for each of `lengths`.
///
/// Shapes     x [any]; lengths [outputs] int64, known when the node is made, which add up to the axis; the outputs as
///            x, with one of the lengths there.
/// Settings   axis: from the end where negative.
/// Gradient   the outputs' gradients side by side, zeros where there is none.
/// Source     https://onnx.ai/onnx/operators/onnx__Split.html
struct Split {
  static constexpr std::string_view kName = "Split";
  static constexpr Keeps kKeeps = Keeps::Axes;
  int64_t axis = 0;

  static void fields(auto&& each) { each("axis", &Split::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
