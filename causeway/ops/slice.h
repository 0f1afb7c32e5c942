#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// The places start, start + step, … of a slice along an axis of a known length.
struct SliceRange {
  int64_t start = 0, step = 1, count = 0;
};
/// Counted from the end where negative and clamped as NumPy's; the step is not 0.
SliceRange slice_range(int64_t start, int64_t end, int64_t step, int64_t length);

/// A range of places along some axes, in steps that may be negative; starts and ends count from the end where negative
/// and are clamped as NumPy's.
///
/// Shapes     x [any]; starts, ends, axes, steps [n] integers; axes absent: 0 … n - 1; steps absent: 1.
/// Settings   may_be_empty: false refuses a range that takes no place.
/// Gradient   SliceGradient.
/// Source     https://onnx.ai/onnx/operators/onnx__Slice.html
struct Slice {
  static constexpr std::string_view kName = "Slice";
  static constexpr Keeps kKeeps = Keeps::Axes;
  bool may_be_empty = true;

  static void fields(auto&& each) { each("may_be_empty", &Slice::may_be_empty); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of Slice: dy in the places that were read, zeros elsewhere.
///
/// Shapes     dy as Slice's y; lengths [rank] int64, of dx; starts, ends, axes, steps as Slice's.
/// Gradient   Slice.
struct SliceGradient {
  static constexpr std::string_view kName = "SliceGradient";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
