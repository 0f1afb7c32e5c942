#include "causeway/ops/layer_norm.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// The lengths of the axes, in the order of x.
Shape lengths_of(const std::vector<int64_t>& axes, const Shape& x) {
  if (axes.empty()) unfit("'axes' names no axis, and the mean is taken over one or more.");
  if (!x.has_rank()) return Shape::of_rank(axes.size());
  std::vector<Dim> lengths;
  for (const size_t axis : axes_in(axes, x.rank())) lengths.push_back(x[axis]);
  return lengths;
}

void expect_shape(const Type& list, const Shape& lengths, std::string_view what) {
  const Shape shape = with_rank(list, lengths.rank(), what);
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i].equals(lengths[i]) != std::optional(false)) continue;
    unfit(std::string(what) + " is " + shape.text() + ", and " + lengths.text() + " is expected.");
  }
}

}  // namespace

Types LayerNorm::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1, rms ? 2 : 3);
  const Type x = floating({common_dtype(inputs), inputs[0].shape});
  const Shape lengths = lengths_of(axes, x.shape);
  expect_shape(input_or_unknown(inputs, 1), lengths, "its weight");
  expect_shape(input_or_unknown(inputs, 2), lengths, "its bias");
  if (single == SingleNumber::Refused) {
    Dim count = 1;
    for (size_t axis = 0; axis < lengths.rank(); ++axis) count = count * lengths[axis];
    if (count == Dim(1)) {
      unfit(
          "it normalizes a single number, which has no spread, and training refuses that. Hand it two places or more.");
    }
  }
  return {x};
}

std::optional<Values> LayerNorm::training(GraphBuilder& graph, const Node& node) const {
  if (single != SingleNumber::RefusedInTraining) return std::nullopt;
  LayerNorm measured = *this;
  measured.single = SingleNumber::Refused;
  return graph.add(measured, node.inputs);
}

Values LayerNorm::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  const Values all =
      graph.add(LayerNormGradient{.axes = axes, .epsilon = epsilon, .rms = rms}, {dy[0], node.input(0), node.input(1)});
  Values gradients(node.inputs.size());
  gradients[0] = all[0];
  if (node.input(1)) gradients[1] = all[1];
  if (node.input(2)) gradients[2] = all[2];
  return gradients;
}

std::optional<Turned> LayerNorm::turned(const Node& node, const Axes& order) const {
  LayerNorm moved = *this;
  moved.axes = turned_axes(axes, order);
  std::vector<Axes> inputs(node.inputs.size(), order_among(axes_in(axes, order.size()), order));
  inputs[0] = order;
  return Turned{moved, inputs, {order}};
}

Types LayerNormGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2, 3);
  const Type dx = floating({common_dtype(inputs), merged(inputs[0].shape, inputs[1].shape)});
  const Shape lengths = lengths_of(axes, dx.shape);
  expect_shape(input_or_unknown(inputs, 2), lengths, "its weight");
  return {dx, {dx.dtype, lengths}, {dx.dtype, lengths}};
}

std::optional<Turned> LayerNormGradient::turned(const Node& node, const Axes& order) const {
  LayerNormGradient moved = *this;
  moved.axes = turned_axes(axes, order);
  const Axes among = order_among(axes_in(axes, order.size()), order);
  std::vector<Axes> inputs(node.inputs.size(), among);
  inputs[0] = inputs[1] = order;
  return Turned{moved, inputs, {order, among, among}};
}

}  // namespace causeway::ops
