#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Sparsemax along one axis: y = max(x - t, 0), t such that y sums to 1; the nearest shares to x, many of them 0.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   axis: from the end where negative; the last unless stated.
/// Gradient   where y > 0, dy less the mean of dy over the places where y > 0; 0 elsewhere.
/// Source     Martins and Astudillo 2016, https://arxiv.org/abs/1602.02068
struct Sparsemax {
  static constexpr std::string_view kName = "Sparsemax";
  static constexpr Keeps kKeeps = Keeps::Axes;
  int64_t axis = -1;

  static void fields(auto&& each) { each("axis", &Sparsemax::axis); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
