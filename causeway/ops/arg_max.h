#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Where along an axis the largest stands.
///
/// Shapes     x [any], floating or integer, with at least one place along the axis; y int64, without the axis or with
///            length 1 there.
/// Settings   axis: from the end where negative. keepdims. select_last: the last of equals instead of the first.
/// Gradient   none.
/// Source     https://onnx.ai/onnx/operators/onnx__ArgMax.html
struct ArgMax {
  static constexpr std::string_view kName = "ArgMax";
  static constexpr std::string_view kNoGradient = "a place does not move with what stands there.";
  int64_t axis = 0;
  bool keepdims = true;
  bool select_last = false;

  static void fields(auto&& each) {
    each("axis", &ArgMax::axis);
    each("keepdims", &ArgMax::keepdims);
    each("select_last", &ArgMax::select_last);
  }
  Types infer(std::span<const Type> inputs) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
