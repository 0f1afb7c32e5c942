#pragma once

#include <string>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Dropout: answering, the identity. In a training step each element stays, times 1 / (1 - rate), where a
/// uniform draw from [0, 1) is at least `rate`, and is 0 elsewhere; the draws are addressed by the seed, by the purpose
/// and the path of the layer ("dropout:3"), and by the count of batches.
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   rate: in [0, 1]. shared_axes: axes along which one draw serves all, from the end where negative.
///            drawn_in: the order of axes in which the draws are numbered, as they stand unless stated, so that a graph
///            whose axes were turned keeps every draw. purpose: what the draws are for.
/// Gradient   answering, dy.
/// Source     https://onnx.ai/onnx/operators/onnx__Dropout.html;
///            Srivastava and others 2014, https://jmlr.org/papers/v15/srivastava14a.html
struct Dropout {
  static constexpr std::string_view kName = "Dropout";
  static constexpr Keeps kKeeps = Keeps::Axes;
  float rate = 0.5f;
  std::vector<int64_t> shared_axes = {};
  std::vector<size_t> drawn_in = {};
  std::string purpose = "dropout";

  static void fields(auto&& each) {
    each("rate", &Dropout::rate);
    each("shared_axes", &Dropout::shared_axes);
    each("drawn_in", &Dropout::drawn_in);
    each("purpose", &Dropout::purpose);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
