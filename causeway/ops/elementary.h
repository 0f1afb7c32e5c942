#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

// Functions of one operand, element by element: y keeps the shape and dtype of x, which is floating (for Neg and Abs
// also an integer, for Identity anything).

/// y = x.
///
/// Gradient   dy.
/// Source     https://onnx.ai/onnx/operators/onnx__Identity.html
struct Identity {
  static constexpr std::string_view kName = "Identity";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = -x.
///
/// Gradient   -dy.
/// Source     https://onnx.ai/onnx/operators/onnx__Neg.html
struct Neg {
  static constexpr std::string_view kName = "Neg";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = |x|.
///
/// Gradient   dy * sign(x): 0 at x = 0.
/// Source     https://onnx.ai/onnx/operators/onnx__Abs.html
struct Abs {
  static constexpr std::string_view kName = "Abs";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = 1 / x.
///
/// Gradient   -dy * y * y.
/// Source     https://onnx.ai/onnx/operators/onnx__Reciprocal.html
struct Reciprocal {
  static constexpr std::string_view kName = "Reciprocal";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The square root; NaN below 0.
///
/// Gradient   dy / (2 * y): infinite at x = 0.
/// Source     https://onnx.ai/onnx/operators/onnx__Sqrt.html
struct Sqrt {
  static constexpr std::string_view kName = "Sqrt";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// e to the power of x.
///
/// Gradient   dy * y.
/// Source     https://onnx.ai/onnx/operators/onnx__Exp.html
struct Exp {
  static constexpr std::string_view kName = "Exp";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The natural logarithm; -inf at 0, NaN below.
///
/// Gradient   dy / x.
/// Source     https://onnx.ai/onnx/operators/onnx__Log.html
struct Log {
  static constexpr std::string_view kName = "Log";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The sine of x in radians.
///
/// Gradient   dy * cos(x).
/// Source     https://onnx.ai/onnx/operators/onnx__Sin.html
struct Sin {
  static constexpr std::string_view kName = "Sin";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The cosine of x in radians.
///
/// Gradient   -dy * sin(x).
/// Source     https://onnx.ai/onnx/operators/onnx__Cos.html
struct Cos {
  static constexpr std::string_view kName = "Cos";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.
///
/// Gradient   dy * 2/sqrt(pi) * exp(-x^2).
/// Source     https://onnx.ai/onnx/operators/onnx__Erf.html
struct Erf {
  static constexpr std::string_view kName = "Erf";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
