#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Softmax along one axis: y = e^(x - m) / sum e^(x - m), m the largest along it.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   axis: from the end where negative; the last unless stated.
/// Gradient   y * (dy - sum(dy * y)).
/// Source     https://onnx.ai/onnx/operators/onnx__Softmax.html
struct Softmax {
  static constexpr std::string_view kName = "Softmax";
  static constexpr Keeps kKeeps = Keeps::Axes;
  int64_t axis = -1;

  static void fields(auto&& each) { each("axis", &Softmax::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The logarithm of softmax along one axis: y = x - m - log sum e^(x - m).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   axis: from the end where negative; the last unless stated.
/// Gradient   dy - e^y * sum(dy).
/// Source     https://onnx.ai/onnx/operators/onnx__LogSoftmax.html
struct LogSoftmax {
  static constexpr std::string_view kName = "LogSoftmax";
  static constexpr Keeps kKeeps = Keeps::Axes;
  int64_t axis = -1;

  static void fields(auto&& each) { each("axis", &LogSoftmax::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
