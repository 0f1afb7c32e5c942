#include <numeric>

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

std::vector<int64_t> axes_from(int64_t first, const Value& x) {
  if (!x.shape().has_rank()) unfit("the rank of x is not known.");
  const size_t from = axis_in(first, x.shape().rank());
  std::vector<int64_t> axes(x.shape().rank() - from);
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(from));
  return axes;
}

// A number a channel, spread along the places of x, whose channels are axis 1.
Value by_channel(const Value& numbers, const Value& x) {
  std::vector<int64_t> places(x.shape().rank() - 2);
  std::iota(places.begin(), places.end(), int64_t{1});
  return places.empty() ? numbers : ops::unsqueeze(numbers, places);
}

Value scaled_by_channel(const Value& x, const Value& scale, const Value& bias) {
  return ops::add(ops::mul(x, by_channel(scale, x)), by_channel(bias, x));
}

const Value& with_channels(const Value& x) {
  if (!x.shape().has_rank()) unfit("the rank of x is not known.");
  if (x.shape().rank() < 2) unfit("x is " + x.shape().text() + ", and it has rows and channels.");
  return x;
}

bool has_shape_of_axes(const Value& numbers, const Value& x, size_t axes) {
  if (!numbers) return true;
  if (!numbers.shape().has_rank() || numbers.shape().rank() != axes) return false;
  for (size_t i = 0; i < axes; ++i) {
    if (numbers.shape()[i] != x.shape()[x.shape().rank() - axes + i]) return false;
  }
  return true;
}

// Normalised over the last axes; numbers of other shapes are spread to them.
Value normalized(NodeReader& node, ops::LayerNorm norm, const Value& scale, const Value& bias) {
  const Value x = node.input(0);
  const size_t axes = norm.axes.size();
  if (has_shape_of_axes(scale, x, axes) && has_shape_of_axes(bias, x, axes)) {
    Values inputs{x, scale};
    if (bias) inputs.push_back(bias);
    return node.graph().add1(norm, inputs);
  }
  Value y = ops::mul(node.graph().add1(norm, {x}), scale);
  return bias ? ops::add(y, bias) : y;
}

}  // namespace

// Inference form unless training_mode says otherwise; the channels are axis 1.
Values read_batch_normalization(NodeReader& node) {
  node.expect_inputs(5, 5);
  const float epsilon = node.real("epsilon", 1e-5f), momentum = node.real("momentum", 0.9f);
  if (node.opset() < 9 && node.integer("spatial", 1) == 0) {
    node.refuse("'spatial' is 0, statistics of each place; those of each channel are read.");
  }
  if (node.opset() < 7) node.ignore("is_test");
  const bool trains = node.opset() >= 14 && node.flag("training_mode", false);
  if (!trains) {
    for (size_t i = 1; i < node.output_count(); ++i) {
      if (node.has_output(i)) unfit("it makes statistics of its batch, and the inference form is read.");
    }
    const ops::BatchNorm norm{
        .axis = 1,
        .epsilon = epsilon,
        .momentum = momentum,
        .running_variance = node.from_pytorch() ? ops::RunningVariance::Unbiased : ops::RunningVariance::Biased};
    return node.graph().add(norm, {node.input(0), node.input(1), node.input(2), node.input(3), node.input(4)});
  }
  const Values made = node.graph().add(ops::BatchNormTraining{.axis = 1, .epsilon = epsilon},
                                       {node.input(0), node.input(1), node.input(2)});
  const auto running = [&](size_t old, const Value& now) {
    return ops::add(ops::scale(node.input(old), momentum), ops::scale(now, 1 - momentum));
  };
  return {made[0], running(3, made[1]), running(4, made[2])};
}

Values read_instance_normalization(NodeReader& node) {
  node.expect_inputs(3, 3);
  const Value x = with_channels(node.input(0));
  ops::LayerNorm norm{.epsilon = node.real("epsilon", 1e-5f)};
  norm.axes = axes_from(2, x);
  return {scaled_by_channel(node.graph().add1(norm, {x}), node.input(1), node.input(2))};
}

// Scale and bias are one a group to opset 20, and one a channel from 21.
Values read_group_normalization(NodeReader& node) {
  node.expect_inputs(3, 3);
  const Value x = with_channels(node.input(0));
  const ops::LayerNorm norm{.epsilon = node.real("epsilon", 1e-5f)};
  if (node.opset() >= 21) node.ignore("stash_type");
  const std::optional<int64_t> groups = node.integer("num_groups");
  const Dim channels = x.shape()[1];
  if (!groups || *groups < 1) unfit("'num_groups' is not stated, or below 1.");
  if (!channels.is_number()) unfit("x is " + x.shape().text() + ", and its channels are a number.");
  if (channels.number() % *groups != 0) {
    unfit("'num_groups' is " + std::to_string(*groups) + ", and its " + channels.text() +
          " channels do not divide by it.");
  }
  const auto of_channels = [&](const Value& numbers) {
    if (node.opset() >= 21) return numbers;
    const Value column = ops::unsqueeze(numbers, {1});
    const int64_t each = channels.number() / *groups;
    return ops::reshape(ops::expand(column, ops::integers(node.graph(), {*groups, each})), {-1});
  };
  const Value rows = ops::reshape(x, {0, *groups, -1});
  const Value y = ops::reshape_like(node.graph().add1(norm, {rows}), x);
  return {scaled_by_channel(y, of_channels(node.input(1)), of_channels(node.input(2)))};
}

Values read_layer_normalization(NodeReader& node) {
  node.expect_inputs(2, 3);
  const Value x = node.input(0);
  ops::LayerNorm norm{.epsilon = node.real("epsilon", 1e-5f)};
  norm.axes = axes_from(node.integer("axis", -1), x);
  if (node.integer("stash_type", 1) != 1) node.note("'stash_type' is not 1, and it is computed in float32.");
  Values outputs{normalized(node, norm, node.input(1), node.input_or_none(2))};
  if (node.has_output(1) || node.has_output(2)) {
    const Value mean = ops::reduce_mean(x, norm.axes, true);
    const Value variance = ops::reduce_mean(ops::square(ops::sub(x, mean)), norm.axes, true);
    outputs.push_back(mean);
    outputs.push_back(ops::reciprocal(ops::sqrt(ops::shifted(variance, norm.epsilon))));
  }
  return outputs;
}

Values read_rms_normalization(NodeReader& node) {
  node.expect_inputs(2, 2);
  ops::LayerNorm norm{.epsilon = node.real("epsilon", 1e-5f), .rms = true};
  norm.axes = axes_from(node.integer("axis", -1), node.input(0));
  node.ignore("stash_type");
  return {normalized(node, norm, node.input(1), {})};
}

}  // namespace causeway::formats::onnx
