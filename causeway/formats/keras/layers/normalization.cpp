#include <algorithm>

#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/batch_norm.h"
#include "causeway/ops/build.h"
#include "causeway/ops/layer_norm.h"

namespace causeway::formats::keras {
namespace {

size_t one_axis(LayerReader& layer, const Value& x, const std::vector<int64_t>& axes) {
  if (axes.size() != 1) unfit("'axis' names " + std::to_string(axes.size()) + " axes, and one is read.");
  const size_t axis = axis_in(axes[0], x.shape().rank());
  if (axis == 0) unfit("'axis' is the batch's, and one of a row's axes is read.");
  static_cast<void>(layer);
  return axis;
}

// The axes of a row that a normalization goes over, ascending.
std::vector<int64_t> row_axes(const Value& x, const std::vector<int64_t>& axes) {
  std::vector<int64_t> found;
  for (const int64_t axis : axes) found.push_back(static_cast<int64_t>(axis_in(axis, x.shape().rank())));
  std::sort(found.begin(), found.end());
  if (found.empty() || found.front() == 0 || std::adjacent_find(found.begin(), found.end()) != found.end()) {
    unfit("'axis' names the batch or an axis twice, and axes of a row are read, each once.");
  }
  return found;
}

std::vector<int64_t> lengths_along(LayerReader& layer, const Value& x, const std::vector<int64_t>& axes) {
  std::vector<int64_t> lengths;
  for (const int64_t axis : axes) lengths.push_back(layer.length(x, axis));
  return lengths;
}

// Numbers along some axes of x, with a length of 1 along those between them, so that they spread over x.
Value spread_along(const Value& numbers, const Value& x, const std::vector<int64_t>& axes) {
  std::vector<int64_t> lengths(x.shape().rank() - static_cast<size_t>(axes.front()), 1);
  for (size_t i = 0; i < axes.size(); ++i)
    lengths[static_cast<size_t>(axes[i] - axes.front())] = numbers.shape()[i].number();
  return ops::reshape(numbers, lengths);
}

// x / sqrt(variance + epsilon), where x is not centred though the variance is.
Value scaled_by_deviation(const Value& x, const std::vector<int64_t>& axes, float epsilon) {
  const Value centred = ops::sub(x, ops::reduce_mean(x, axes, true));
  const Value variance = ops::reduce_mean(ops::square(centred), axes, true);
  return ops::div(x, ops::sqrt(ops::shifted(variance, epsilon)));
}

}  // namespace

Value read_batch_normalization(LayerReader& layer) {
  Words& words = layer.words();
  const std::vector<int64_t> axes = words.integers("axis", {-1});
  ops::BatchNorm norm;
  norm.momentum = words.real("momentum", 0.99f);
  norm.epsilon = words.real("epsilon", 1e-3f);
  norm.running_variance = ops::RunningVariance::Biased;
  const bool center = words.boolean("center", true), scale = words.boolean("scale", true);
  words.only_off("renorm", "it normalises by a mixture of the batch and what came before, and no op here does.");
  words.ignore({"synchronized", "renorm_clipping", "renorm_momentum", "fused", "virtual_batch_size"});

  const Value x = layer.x();
  const size_t axis = one_axis(layer, x, axes);
  norm.axis = static_cast<int64_t>(axis);
  const int64_t channels = layer.length(x, norm.axis);
  Values operands{x, {}, {}, {}, {}};
  if (scale) operands[1] = layer.learned("gamma", "weight", {channels}, {});
  if (center) operands[2] = layer.learned("beta", "bias", {channels}, {});
  operands[3] = layer.measured("moving_mean", "running_mean", {channels});
  operands[4] = layer.measured("moving_variance", "running_var", {channels});
  return layer.graph().add1(norm, operands);
}

Value read_layer_normalization(LayerReader& layer) {
  Words& words = layer.words();
  const std::vector<int64_t> said = words.integers("axis", {-1});
  const float epsilon = words.real("epsilon", 1e-3f);
  const bool center = words.boolean("center", true), scale = words.boolean("scale", true);
  const bool rms = words.boolean("rms_scaling", false);

  const Value x = layer.x();
  const std::vector<int64_t> axes = row_axes(x, said);
  const std::vector<int64_t> lengths = lengths_along(layer, x, axes);
  Value weight, bias;
  if (scale || rms) weight = layer.learned("gamma", "weight", lengths, {});
  if (center && !rms) bias = layer.learned("beta", "bias", lengths, {});
  if (rms) return ops::mul(scaled_by_deviation(x, axes, epsilon), spread_along(weight, x, axes));
  return layer.graph().add1(ops::LayerNorm{.axes = axes, .epsilon = epsilon}, {x, weight, bias});
}

// The channels of a group and all places together: a layer normalization of [N, …, G, C/G] over all but N and G.
Value read_group_normalization(LayerReader& layer) {
  Words& words = layer.words();
  int64_t groups = words.integer("groups", 32, -1);
  const std::vector<int64_t> said = words.integers("axis", {-1});
  const float epsilon = words.real("epsilon", 1e-3f);
  const bool center = words.boolean("center", true), scale = words.boolean("scale", true);

  const Value x = layer.x();
  const size_t axis = one_axis(layer, x, said), last = x.shape().rank() - 1;
  if (axis != last) unfit("'axis' is " + std::to_string(axis) + ", and the last axis is read.");
  const int64_t channels = layer.length(x, -1);
  if (groups == -1) groups = channels;
  if (groups < 1 || channels % groups != 0) {
    unfit("'groups' is " + std::to_string(groups) + ", which does not divide " + std::to_string(channels) +
          " channels.");
  }
  std::vector<int64_t> apart(last, 0), together(last, 0), axes;
  apart.insert(apart.end(), {groups, channels / groups});
  together.push_back(channels);
  for (size_t i = 1; i < last; ++i) axes.push_back(static_cast<int64_t>(i));
  axes.push_back(static_cast<int64_t>(last) + 1);
  const Value grouped = ops::reshape(x, apart);
  const Value normed = layer.graph().add1(ops::LayerNorm{.axes = axes, .epsilon = epsilon}, {grouped, {}, {}});
  Value y = ops::reshape(normed, together);
  if (scale) y = ops::mul(y, layer.learned("gamma", "weight", {channels}, {}));
  if (center) y = ops::add(y, layer.learned("beta", "bias", {channels}, {}));
  return y;
}

Value read_rms_normalization(LayerReader& layer) {
  const std::vector<int64_t> said = layer.words().integers("axis", {-1});
  const float epsilon = layer.words().real("epsilon", 1e-6f);
  const Value x = layer.x();
  const std::vector<int64_t> axes = row_axes(x, said);
  const Value weight = layer.learned("scale", "weight", lengths_along(layer, x, axes), {});
  return layer.graph().add1(ops::LayerNorm{.axes = axes, .epsilon = epsilon, .rms = true}, {x, weight});
}

Value read_unit_normalization(LayerReader& layer) {
  constexpr double kLeastSquare = 1e-12;
  const std::vector<int64_t> said = layer.words().integers("axis", {-1});
  const Value x = layer.x();
  const Value squares = ops::reduce_sum(ops::square(x), row_axes(x, said), true);
  return ops::div(x, ops::sqrt(ops::max(squares, kLeastSquare)));
}

Value read_rescaling(LayerReader& layer) {
  const auto numbers = [&](std::string_view key, float otherwise) {
    const Json* value = layer.words().find(key);
    std::vector<float> found;
    if (value == nullptr || value->is_number()) return std::vector<float>{layer.words().real(key, otherwise)};
    for (size_t i = 0; value->is_array() && i < value->items().size(); ++i) {
      if (value->items()[i].is_number()) found.push_back(static_cast<float>(value->items()[i].number()));
    }
    if (!value->is_array() || found.size() != value->items().size() || found.empty()) {
      layer.refuse("'" + std::string(key) + "' is " + shown(*value) + ", and a number or a list of them is read.");
      found.assign(1, otherwise);
    }
    return found;
  };
  const std::vector<float> scale = numbers("scale", 1.0f), offset = numbers("offset", 0.0f);
  const auto constant = [&](const std::vector<float>& values, std::string_view what) {
    std::vector<int64_t> lengths;
    if (values.size() > 1) lengths.push_back(static_cast<int64_t>(values.size()));
    return layer.graph().constant(Tensor::of<float>(lengths, values), what);
  };
  return ops::add(ops::mul(layer.x(), constant(scale, "scale")), constant(offset, "offset"));
}

}  // namespace causeway::formats::keras
