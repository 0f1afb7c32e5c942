#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

// Truths element by element: operands and results are bool, apart from what IsNaN looks at. Two operands broadcast.

/// Whether a and b both hold.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__And.html
struct And {
  static constexpr std::string_view kName = "And";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "truths have no gradient.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether a or b holds.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Or.html
struct Or {
  static constexpr std::string_view kName = "Or";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "truths have no gradient.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether exactly one of a and b holds.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Xor.html
struct Xor {
  static constexpr std::string_view kName = "Xor";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "truths have no gradient.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether x does not hold.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Not.html
struct Not {
  static constexpr std::string_view kName = "Not";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "truths have no gradient.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether x, which is floating, is not a number.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__IsNaN.html
struct IsNaN {
  static constexpr std::string_view kName = "IsNaN";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "truths have no gradient.";

  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
