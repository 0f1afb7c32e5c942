#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// start, start + delta, … as long as they are short of limit: max(0, ceil((limit - start) / delta)) numbers.
///
/// Shapes     start, limit, delta [] of one dtype, floating or integer; y [count].
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__Range.html
struct Range {
  static constexpr std::string_view kName = "Range";
  static constexpr std::string_view kNoGradient = "a range is made of numbers that decide its length.";

  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
