#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// One number in every place.
///
/// Shapes     lengths [rank of y] int64.
/// Settings   value, dtype: the number; a float32 0 unless stated.
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__ConstantOfShape.html
struct ConstantOfShape {
  static constexpr std::string_view kName = "ConstantOfShape";
  static constexpr std::string_view kNoGradient = "lengths do not move with numbers.";
  double value = 0;
  DType dtype = DType::Float32;

  static void fields(auto&& each) {
    each("value", &ConstantOfShape::value);
    each("dtype", &ConstantOfShape::dtype);
  }
  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
