#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// A range of places along some axes, in steps that may be negative; starts and ends count from the end where negative
/// and are clamped as NumPy's.
///
/// Shapes     x [any]; starts, ends, axes, steps [n] integers; axes absent: 0 … n - 1; steps absent: 1.
/// Gradient   SliceGradient.
/// Source     https://onnx.ai/onnx/operators/onnx__Slice.html
struct Slice {
  static constexpr std::string_view kName = "Slice";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

/// The gradient of Slice: dy in the places that were read, zeros elsewhere.
///
/// Shapes     dy as Slice's y; lengths [rank] int64, of dx; starts, ends, axes, steps as Slice's.
/// Gradient   Slice.
struct SliceGradient {
  static constexpr std::string_view kName = "SliceGradient";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
