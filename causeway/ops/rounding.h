#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

// Functions that are flat between their steps: y keeps the shape and dtype of x, and the gradient is 0 everywhere, at
// the steps too.

/// The largest whole number not above x.
///
/// Gradient   0.
/// Source     https://onnx.ai/onnx/operators/onnx__Floor.html
struct Floor {
  static constexpr std::string_view kName = "Floor";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The smallest whole number not below x.
///
/// Gradient   0.
/// Source     https://onnx.ai/onnx/operators/onnx__Ceil.html
struct Ceil {
  static constexpr std::string_view kName = "Ceil";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The nearest whole number, a half to the even one.
///
/// Gradient   0.
/// Source     https://onnx.ai/onnx/operators/onnx__Round.html
struct Round {
  static constexpr std::string_view kName = "Round";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// -1 below 0, 0 at 0, 1 above; x may be an integer.
///
/// Gradient   0.
/// Source     https://onnx.ai/onnx/operators/onnx__Sign.html
struct Sign {
  static constexpr std::string_view kName = "Sign";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
