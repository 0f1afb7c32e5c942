#include <algorithm>
#include <numeric>

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

std::vector<int64_t> axes_from(int64_t first, const Value& x) {
  if (!x.shape().has_rank()) not_known_yet("the rank of x is not known.");
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
  if (!x.shape().has_rank()) not_known_yet("the rank of x is not known.");
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
  if (!channels.is_number()) not_known_yet("x is " + x.shape().text() + ", and its channels are a number.");
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

namespace {

// A number a place of these lengths.
std::string filled(NodeWriter& node, const std::vector<int64_t>& lengths, float number, std::string_view what) {
  Tensor numbers(DType::Float32, lengths);
  for (float& each : numbers.mutable_values<float>()) each = number;
  return node.constant(std::move(numbers), what);
}

// In double steps, as ONNX's own functions spell it: centred, squared, averaged, divided, scaled.
std::string spelled_norm(NodeWriter& node, const ops::LayerNorm& norm, const std::vector<int64_t>& axes) {
  const auto mean_of = [&](const std::string& x) {
    std::vector<std::string> inputs{x};
    std::vector<Attribute> attributes{integer("keepdims", 1)};
    node.give_list(18, "axes", axes, inputs, attributes);
    return node.add("ReduceMean", inputs, attributes);
  };
  const std::string x = node.input(0);
  const std::string centred = norm.rms ? x : node.add("Sub", {x, mean_of(x)});
  const std::string variance = mean_of(node.add("Mul", {centred, centred}));
  const std::string shifted = node.add("Add", {variance, node.scalar(norm.epsilon, "epsilon")});
  return node.add("Div", {centred, node.add("Sqrt", {shifted})});
}

}  // namespace

void write_batch_normalization(NodeWriter& node) {
  const auto& norm = node.settings<ops::BatchNorm>();
  const size_t rank = node.shape(0).rank();
  if (rank < 2 || axis_in(norm.axis, rank) != 1) {
    unfit("its channels stand on axis " + std::to_string(axis_in(norm.axis, rank)) + " of " + node.shape(0).text() +
          ", and ONNX's stand on axis 1.");
  }
  const std::vector<int64_t> channels = node.shape(3).lengths();
  const std::string weight = node.value(1) ? node.input(1) : filled(node, channels, 1, "weight");
  const std::string bias = node.value(2) ? node.input(2) : filled(node, channels, 0, "bias");
  node.give(node.add("BatchNormalization", {node.input(0), weight, bias, node.input(3), node.input(4)},
                     {real("epsilon", norm.epsilon), real("momentum", norm.momentum)}));
}

// One op where the axes are the last ones; otherwise, and in older sets, written out.
void write_layer_normalization(NodeWriter& node) {
  const auto& norm = node.settings<ops::LayerNorm>();
  const size_t rank = node.shape(0).rank();
  std::vector<int64_t> axes;
  for (const int64_t axis : norm.axes) axes.push_back(static_cast<int64_t>(axis_in(axis, rank)));
  std::sort(axes.begin(), axes.end());
  bool are_last = true, are_numbers = true;
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < axes.size(); ++i) {
    are_last = are_last && axes[i] == static_cast<int64_t>(rank - axes.size() + i);
    const Dim& length = node.shape(0)[static_cast<size_t>(axes[i])];
    are_numbers = are_numbers && length.is_number();
    if (length.is_number()) lengths.push_back(length.number());
  }
  const bool has_weight = static_cast<bool>(node.value(1));
  if (are_last && (has_weight || are_numbers) && node.may_use(norm.rms ? 23 : 17)) {
    std::vector<std::string> inputs{node.input(0), has_weight ? node.input(1) : filled(node, lengths, 1, "weight")};
    if (node.value(2)) inputs.push_back(node.input(2));
    const std::vector<Attribute> attributes{integer("axis", axes.front() - static_cast<int64_t>(rank)),
                                            real("epsilon", norm.epsilon)};
    return node.give(node.add(norm.rms ? "RMSNormalization" : "LayerNormalization", inputs, attributes));
  }
  // Weight and bias have the lengths of the axes in the order of x: other axes get length 1.
  const auto spread = [&](const std::string& numbers) {
    std::vector<int64_t> ones;
    for (size_t axis = static_cast<size_t>(axes.front()); axis < rank; ++axis) {
      if (!std::binary_search(axes.begin(), axes.end(), static_cast<int64_t>(axis))) {
        ones.push_back(static_cast<int64_t>(axis) - axes.front());
      }
    }
    if (ones.empty()) return numbers;
    std::vector<std::string> inputs{numbers};
    std::vector<Attribute> attributes;
    node.give_list(13, "axes", ones, inputs, attributes);
    return node.add("Unsqueeze", inputs, attributes);
  };
  std::string y = spelled_norm(node, norm, axes);
  if (has_weight) y = node.add("Mul", {y, spread(node.input(1))});
  if (node.value(2)) y = node.add("Add", {y, spread(node.input(2))});
  node.give(y);
}

// x over its sum of sizes or its length along one axis; 0 where that is 0.
Values read_lp_normalization(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  const int64_t axis = node.integer("axis", -1), p = node.integer("p", 2);
  if (p != 1 && p != 2) unfit("'p' is " + std::to_string(p) + "; 1 and 2 are read.");
  const Value size =
      p == 1 ? ops::reduce_sum(ops::abs(x), {axis}, true) : ops::sqrt(ops::reduce_sum(ops::square(x), {axis}, true));
  return {ops::where(ops::equal(size, 0.0), 0.0, ops::div(x, size))};
}

// (x - mean) / (deviation + 1e-9), the variance as the mean of the squares less the square of the mean.
Values read_mean_variance_normalization(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  const std::vector<int64_t> axes = node.integers("axes").value_or(std::vector<int64_t>{0, 2, 3});
  const Value mean = ops::reduce_mean(x, axes, true);
  const Value variance = ops::sub(ops::reduce_mean(ops::square(x), axes, true), ops::square(mean));
  return {ops::div(ops::sub(x, mean), ops::shifted(ops::sqrt(variance), 1e-9))};
}

}  // namespace causeway::formats::onnx
