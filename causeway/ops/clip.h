#pragma once

#include <optional>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Clipping: y = min(max(x, low), high), so where low is above high y is high; NaN stays.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, floating or integer.
/// Settings   low, high: bounds, each of which may be absent.
/// Gradient   dy strictly inside the bounds; 0 at a bound and outside, as PyTorch's hard_tanh and relu6.
/// Source     https://onnx.ai/onnx/operators/onnx__Clip.html
struct Clip {
  static constexpr std::string_view kName = "Clip";
  static constexpr Keeps kKeeps = Keeps::Elements;
  std::optional<float> low = {};
  std::optional<float> high = {};

  static void fields(auto&& each) {
    each("low", &Clip::low);
    each("high", &Clip::high);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
