#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Takes away axes of length 1.
///
/// Shapes     x, y [any].
/// Settings   axes: each once, from the end where negative; none: every axis whose length is 1.
/// Gradient   dy under the lengths of x.
/// Source     https://onnx.ai/onnx/operators/onnx__Squeeze.html
struct Squeeze {
  static constexpr std::string_view kName = "Squeeze";
  std::vector<int64_t> axes = {};

  static void fields(auto&& each) { each("axes", &Squeeze::axes); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
