#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Side by side along one axis, in the order of the inputs.
///
/// Shapes     one input or more [any] of one dtype, equal but along the axis; y has the sum of their lengths there.
/// Settings   axis: from the end where negative.
/// Gradient   to each input its block.
/// Source     https://onnx.ai/onnx/operators/onnx__Concat.html
struct Concat {
  static constexpr std::string_view kName = "Concat";
  static constexpr Keeps kKeeps = Keeps::Axes;
  int64_t axis = 0;

  static void fields(auto&& each) { each("axis", &Concat::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
