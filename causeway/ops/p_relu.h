#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Parametric ReLU: y = x where x >= 0 and slope * x elsewhere.
///
/// Shapes     x, y [any]; slope broadcasts to x. All floating, of one dtype.
/// Gradient   to x; at x = 0 the slope applies. To slope: dy * x where x < 0, summed over what slope was spread along.
/// Source     https://onnx.ai/onnx/operators/onnx__PRelu.html
struct PRelu {
  static constexpr std::string_view kName = "PRelu";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
