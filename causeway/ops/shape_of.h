#pragma once

#include <optional>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// The lengths of x, or some of them in a row. The shape rule follows them while they are still open.
///
/// Shapes     x [any]; y [end - start] int64.
/// Settings   start, end: axes, from the end where negative and clamped; all of them unless stated.
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Shape.html
struct ShapeOf {
  static constexpr std::string_view kName = "Shape";
  static constexpr std::string_view kNoGradient = "lengths do not move with numbers.";
  int64_t start = 0;
  std::optional<int64_t> end = {};

  static void fields(auto&& each) {
    each("start", &ShapeOf::start);
    each("end", &ShapeOf::end);
  }
  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
