#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// x repeated along every axis.
///
/// Shapes     x [any]; repeats [rank] int64, at least 0; y: each length times its count.
/// Gradient   dy summed over the copies.
/// Source     https://onnx.ai/onnx/operators/onnx__Tile.html
struct Tile {
  static constexpr std::string_view kName = "Tile";

  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
