#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

// Two operands compared element by element, broadcasting both ways; the operands share one dtype, and y is bool. A
// comparison with NaN is false.

/// Whether a equals b.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Equal.html
struct Equal {
  static constexpr std::string_view kName = "Equal";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "a comparison gives a truth, which does not move with its operands.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether a < b.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Less.html
struct Less {
  static constexpr std::string_view kName = "Less";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "a comparison gives a truth, which does not move with its operands.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether a <= b.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__LessOrEqual.html
struct LessOrEqual {
  static constexpr std::string_view kName = "LessOrEqual";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "a comparison gives a truth, which does not move with its operands.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether a > b.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Greater.html
struct Greater {
  static constexpr std::string_view kName = "Greater";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "a comparison gives a truth, which does not move with its operands.";

  Types infer(std::span<const Type> inputs) const;
};

/// Whether a >= b.
///
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__GreaterOrEqual.html
struct GreaterOrEqual {
  static constexpr std::string_view kName = "GreaterOrEqual";
  static constexpr Keeps kKeeps = Keeps::Elements;
  static constexpr std::string_view kNoGradient = "a comparison gives a truth, which does not move with its operands.";

  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
