#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// The same numbers in another dtype. A float becomes the nearest of the target's; to an integer it is cut towards zero
/// and clamped to its range; to bool it is whether it is not 0.
///
/// Shapes     x, y [any].
/// Settings   to: the dtype of y.
/// Gradient   between floating dtypes, cast back; none otherwise.
/// Source     https://onnx.ai/onnx/operators/onnx__Cast.html
struct Cast {
  static constexpr std::string_view kName = "Cast";
  static constexpr Keeps kKeeps = Keeps::Elements;
  DType to = DType::Float32;

  static void fields(auto&& each) { each("to", &Cast::to); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
