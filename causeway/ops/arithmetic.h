#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

// Two operands, or three, element by element. Shapes broadcast as NumPy's and ONNX's do, both ways; the operands share
// one dtype, which is the result's. The gradient to an operand that was spread is the sum along the axes it was spread
// over (sum_to). Integers wrap in their width.

/// y = a + b.
///
/// Gradient   dy to both.
/// Source     https://onnx.ai/onnx/operators/onnx__Add.html
struct Add {
  static constexpr std::string_view kName = "Add";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = a - b.
///
/// Gradient   dy to a, -dy to b.
/// Source     https://onnx.ai/onnx/operators/onnx__Sub.html
struct Sub {
  static constexpr std::string_view kName = "Sub";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = a * b.
///
/// Gradient   dy * b to a, dy * a to b.
/// Source     https://onnx.ai/onnx/operators/onnx__Mul.html
struct Mul {
  static constexpr std::string_view kName = "Mul";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = a / b. Integers are cut towards zero; a division by integer zero is refused from run.
///
/// Gradient   dy / b to a, -dy * y / b to b.
/// Source     https://onnx.ai/onnx/operators/onnx__Div.html
struct Div {
  static constexpr std::string_view kName = "Div";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = a to the power of b. The exponent may have another dtype; y has the base's.
///
/// Gradient   dy * b * a^(b - 1) to a, and 0 where b is 0; dy * y * log(a) to b, and 0 where a is 0 and b is not
///            negative, as in PyTorch.
/// Source     https://onnx.ai/onnx/operators/onnx__Pow.html
struct Pow {
  static constexpr std::string_view kName = "Pow";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The remainder of a / b.
///
/// Settings   fmod: the remainder has the sign of a, as C's fmod; otherwise that of b.
///
/// Gradient   dy to a; none to b.
/// Source     https://onnx.ai/onnx/operators/onnx__Mod.html
struct Mod {
  static constexpr std::string_view kName = "Mod";
  static constexpr Keeps kKeeps = Keeps::Elements;
  bool fmod = false;

  static void fields(auto&& each) { each("fmod", &Mod::fmod); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The larger of a and b; NaN where either is.
///
/// Gradient   to the larger; half to each at a tie.
/// Source     https://onnx.ai/onnx/operators/onnx__Max.html
struct Max {
  static constexpr std::string_view kName = "Max";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The smaller of a and b; NaN where either is.
///
/// Gradient   to the smaller; half to each at a tie.
/// Source     https://onnx.ai/onnx/operators/onnx__Min.html
struct Min {
  static constexpr std::string_view kName = "Min";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// y = a * b + c, rounded once.
///
/// Gradient   dy * b to a, dy * a to b, dy to c.
struct Fma {
  static constexpr std::string_view kName = "Fma";
  static constexpr Keeps kKeeps = Keeps::Elements;

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
