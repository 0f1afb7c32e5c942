#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Puts in axes of length 1.
///
/// Shapes     x, y [any].
/// Settings   axes: where they stand in y, each once, from its end where negative.
/// Gradient   dy under the lengths of x.
/// Source     https://onnx.ai/onnx/operators/onnx__Unsqueeze.html
struct Unsqueeze {
  static constexpr std::string_view kName = "Unsqueeze";
  std::vector<int64_t> axes = {};

  static void fields(auto&& each) { each("axes", &Unsqueeze::axes); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
