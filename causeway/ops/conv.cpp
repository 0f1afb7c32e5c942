#include "causeway/ops/conv.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"
#include "causeway/ops/windowed.h"

namespace causeway::ops {
namespace {

void check(const Window& window, int64_t groups) {
  window.check();
  if (window.ceil_mode) unfit("'ceil_mode' belongs to poolings, and this is a convolution.");
  if (groups < 1) unfit("'groups' is " + std::to_string(groups) + ", and at least 1 is expected.");
}

/// A weight's lengths by what they mean.
struct Channels {
  Dim in_a_group, out;
};

/// unfit() where the taps are not the window's or the groups do not divide the channels made.
Channels channels_of_weight(const Type& weight, const Window& window, int64_t groups, Layout layout) {
  const Shape shape = with_rank(weight, window.rank() + 2, "the weight");
  for (size_t i = 0; i < window.rank(); ++i) {
    same_length(shape[tap_axis(layout, i)], window.size[i], "a length of the weight", "the window's size there");
  }
  const Channels channels{shape[in_axis(layout, shape.rank())], shape[out_axis(layout, shape.rank())]};
  if (channels.out.is_number() && channels.out.number() % groups != 0) {
    unfit(channels.out.text() + " channels are made, which do not fall into " + std::to_string(groups) + " groups.");
  }
  return channels;
}

/// unfit() where x has other channels than the groups read.
void expect_channels(const Dim& channels, const Channels& weight, int64_t groups) {
  if (channels.equals(weight.in_a_group * groups) == std::optional(false)) {
    unfit("x has " + channels.text() + " channels, and the weight reads " + weight.in_a_group.text() + " in each of " +
          std::to_string(groups) + (groups == 1 ? " group." : " groups."));
  }
}

/// The axes of x but its channels.
std::vector<int64_t> rows_and_places(Layout layout, size_t rank) {
  std::vector<int64_t> axes;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (axis != channel_axis(layout, rank)) axes.push_back(static_cast<int64_t>(axis));
  }
  return axes;
}

}  // namespace

Types Conv::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2, 3);
  check(window, groups);
  const Type x = floating({common_dtype(inputs), inputs[0].shape});
  const Channels weight = channels_of_weight(inputs[1], window, groups, layout);
  expect_channels(channels_of(layout, x, window.rank() + 2), weight, groups);
  const Type bias = input_or_unknown(inputs, 2);
  const Shape made = with_rank(bias, 1, "its bias");
  if (made[0].equals(weight.out) == std::optional(false)) {
    unfit("its bias is " + bias.shape.text() + ", and " + weight.out.text() + " channels are made.");
  }
  return {{x.dtype, windowed_shape(window, layout, x, weight.out)}};
}

Values Conv::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  const Value x = node.input(0), weight = node.input(1);
  const ConvInputGradient to_x{.window = window, .groups = groups, .layout = layout};
  const ConvWeightGradient to_weight{.window = window, .groups = groups, .layout = layout};
  Values gradients(node.inputs.size());
  gradients[0] = graph.add1(to_x, {dy[0], weight, shape_of(x)});
  gradients[1] = graph.add1(to_weight, {x, dy[0], shape_of(weight)});
  if (node.input(2)) gradients[2] = reduce_sum(dy[0], rows_and_places(layout, window.rank() + 2));
  return gradients;
}

std::optional<Turned> Conv::turned(const Node& node, const Axes& axes) const {
  const std::optional<WindowTurn> turn = turned_window(window, layout, axes);
  if (!turn) return std::nullopt;
  const Conv moved{.window = turn->window, .groups = groups, .layout = turn->layout};
  std::vector<Axes> inputs(node.inputs.size());
  inputs[0] = axes;
  inputs[1] = turn->weight;
  return Turned{moved, inputs, {axes}};
}

Types ConvInputGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  check(window, groups);
  const Type dy = floating({common_dtype(inputs.first(2)), inputs[0].shape}, "dy");
  const Channels weight = channels_of_weight(inputs[1], window, groups, layout);
  same_length(channels_of(layout, dy, window.rank() + 2), weight.out, "the channels of dy", "those of the weight");
  const Type x{dy.dtype, with_rank({DType::Unknown, shape_named_by(inputs[2])}, window.rank() + 2, "x")};
  expect_channels(channels_of(layout, x, window.rank() + 2), weight, groups);
  expect_made(window, layout, x, dy);
  return {x};
}

Values ConvInputGradient::gradient(GraphBuilder& graph, const Node& node, const Values& dx) const {
  const Value weight = node.input(1);
  const Conv to_dy{.window = window, .groups = groups, .layout = layout};
  const ConvWeightGradient to_weight{.window = window, .groups = groups, .layout = layout};
  return {graph.add1(to_dy, {dx[0], weight}), graph.add1(to_weight, {dx[0], node.input(0), shape_of(weight)}), {}};
}

std::optional<Turned> ConvInputGradient::turned(const Node&, const Axes& axes) const {
  const std::optional<WindowTurn> turn = turned_window(window, layout, axes);
  if (!turn) return std::nullopt;
  const ConvInputGradient moved{.window = turn->window, .groups = groups, .layout = turn->layout};
  return Turned{moved, {axes, turn->weight, {}}, {axes}, {AxisList::None, AxisList::None, AxisList::PerAxis}};
}

Types ConvWeightGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  check(window, groups);
  const Type x = floating({common_dtype(inputs.first(2)), inputs[0].shape});
  const Type weight{x.dtype, with_rank({DType::Unknown, shape_named_by(inputs[2])}, window.rank() + 2, "the weight")};
  const Channels channels = channels_of_weight(weight, window, groups, layout);
  expect_channels(channels_of(layout, x, window.rank() + 2), channels, groups);
  same_length(channels_of(layout, inputs[1], window.rank() + 2), channels.out, "the channels of dy",
              "those of the weight");
  expect_made(window, layout, x, inputs[1]);
  return {weight};
}

Values ConvWeightGradient::gradient(GraphBuilder& graph, const Node& node, const Values& dweight) const {
  const Value x = node.input(0), dy = node.input(1);
  const ConvInputGradient to_x{.window = window, .groups = groups, .layout = layout};
  const Conv to_dy{.window = window, .groups = groups, .layout = layout};
  return {graph.add1(to_x, {dy, dweight[0], shape_of(x)}), graph.add1(to_dy, {x, dweight[0]}), {}};
}

}  // namespace causeway::ops
