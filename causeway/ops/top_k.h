#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// The k largest along one axis, or the smallest, and where they stand: in falling order (rising for the smallest), of
/// equals the one that stands first.
///
/// Shapes     x [any], floating or integer; k int64 of one number, known at compile; values as x with k places along the
///            axis; places as values, int64.
/// Settings   axis: from the end where negative. largest.
/// Gradient   to x, at the places of the values.
/// Source     https://onnx.ai/onnx/operators/onnx__TopK.html
struct TopK {
  static constexpr std::string_view kName = "TopK";
  int64_t axis = -1;
  bool largest = true;

  static void fields(auto&& each) {
    each("axis", &TopK::axis);
    each("largest", &TopK::largest);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
