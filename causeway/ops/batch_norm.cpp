#include "causeway/ops/batch_norm.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// x with as many channels as the lists say that stand beside it.
Type normalized(int64_t axis, std::span<const Type> all, const Type& x, std::span<const Type> lists) {
  Type y = floating({common_dtype(all), x.shape});
  if (!y.shape.has_rank()) {
    for (const Type& list : lists) with_rank(list, 1, "a list over channels");
    return y;
  }
  Dim& channels = y.shape[axis_in(axis, y.shape.rank())];
  for (const Type& list : lists) {
    const Dim count = with_rank(list, 1, "a list over channels")[0];
    channels = same_length(channels, count, "the number of channels", "the length of a list over them");
  }
  return y;
}

Type over_channels(int64_t axis, const Type& y) {
  if (!y.shape.has_rank()) return {y.dtype, Shape::of_rank(1)};
  return {y.dtype, Shape{y.shape.at(axis)}};
}

/// How many values a channel has; unknown without a rank.
Dim values_a_channel(int64_t axis, const Shape& shape) {
  if (!shape.has_rank()) return {};
  const size_t channels = axis_in(axis, shape.rank());
  Dim count = 1;
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (i != channels) count = count * shape[i];
  }
  return count;
}

std::vector<int64_t> other_axes(size_t axis, size_t rank) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(static_cast<int64_t>(i));
  }
  return axes;
}

/// The batch's variance as it enters the running one.
Value entering(Value variance, Value x, int64_t axis, RunningVariance kind) {
  if (kind == RunningVariance::Biased) return variance;
  const size_t rank = rank_of(x);
  const Value count = cast(count_of(x, other_axes(axis_in(axis, rank), rank)), variance.dtype());
  return mul(variance, div(count, shifted(count, -1.0)));
}

void assign_running(GraphBuilder& graph, Value running, Value batch, float momentum) {
  const Value old = graph.slot(running.name());
  graph.assign(running.name(), add(scale(old, momentum), scale(batch, 1.0 - static_cast<double>(momentum))));
}

}  // namespace

Types BatchNorm::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 5);
  return {normalized(axis, inputs, inputs[0], inputs.subspan(1))};
}

Values BatchNorm::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  const size_t rank = rank_of(x), channels = axis_in(axis, rank);
  const std::vector<int64_t> others = other_axes(channels, rank);
  const auto along = [&](Value list) { return along_axis(list, channels, rank); };
  const Value rate = reciprocal(sqrt(shifted(node.input(4), epsilon)));
  const Value factor = node.input(1) ? mul(rate, node.input(1)) : rate;
  Values gradients = {mul(dy[0], along(factor)), {}, {}, {}, {}};
  if (node.input(1)) {
    gradients[1] = mul(reduce_sum(mul(dy[0], sub(x, along(node.input(3)))), others), rate);
  }
  if (node.input(2)) gradients[2] = reduce_sum(dy[0], others);
  return gradients;
}

std::optional<Values> BatchNorm::training(GraphBuilder& graph, const Node& node) const {
  const Value x = node.input(0), mean = node.input(3), variance = node.input(4);
  if (mean.kind() != Value::Kind::Slot || variance.kind() != Value::Kind::Slot) {
    unfit("its running statistics are computed, and training moves them only where they are kept.");
  }
  if (graph.slots().at(mean.name()).held) return std::nullopt;
  const BatchNormTraining measured{
      .axis = axis, .epsilon = epsilon, .at_least_two = running_variance == RunningVariance::Unbiased};
  const Values made = graph.add(measured, {x, node.input(1), node.input(2)});
  assign_running(graph, mean, made[1], momentum);
  assign_running(graph, variance, entering(made[2], x, axis, running_variance), momentum);
  return Values{made[0]};
}

std::optional<Turned> BatchNorm::turned(const Node&, const Axes& axes) const {
  BatchNorm moved = *this;
  moved.axis = turned_axis(axis, axes);
  return Turned{moved, {axes, {}, {}, {}, {}}, {axes}};
}

Types BatchNormTraining::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1, 3);
  const Type y = normalized(axis, inputs, inputs[0], inputs.subspan(1));
  if (at_least_two && values_a_channel(axis, y.shape) == Dim(1)) {
    unfit("x is " + y.shape.text() +
          ", one value a channel, whose spread cannot be measured. Train on batches of two "
          "rows or more.");
  }
  const Type list = over_channels(axis, y);
  return {y, list, list};
}

Values BatchNormTraining::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  Values gradients(node.inputs.size());
  if (!dy[0]) return gradients;
  const Values all = graph.add(BatchNormGradient{.axis = axis, .epsilon = epsilon},
                               {dy[0], node.input(0), node.input(1), node.output(1), node.output(2)});
  gradients[0] = all[0];
  if (node.input(1)) gradients[1] = all[1];
  if (node.input(2)) gradients[2] = all[2];
  return gradients;
}

std::optional<Turned> BatchNormTraining::turned(const Node& node, const Axes& axes) const {
  BatchNormTraining moved = *this;
  moved.axis = turned_axis(axis, axes);
  std::vector<Axes> inputs(node.inputs.size());
  inputs[0] = axes;
  return Turned{moved, inputs, {axes, {}, {}}};
}

Types BatchNormGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 5);
  const Type dx =
      normalized(axis, inputs, {DType::Unknown, merged(inputs[0].shape, inputs[1].shape)}, inputs.subspan(2));
  const Type list = over_channels(axis, dx);
  return {dx, list, list};
}

std::optional<Turned> BatchNormGradient::turned(const Node&, const Axes& axes) const {
  BatchNormGradient moved = *this;
  moved.axis = turned_axis(axis, axes);
  return Turned{moved, {axes, axes, {}, {}, {}}, {axes, {}, {}}};
}

}  // namespace causeway::ops
