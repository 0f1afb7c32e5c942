#include "causeway/nn/layers/scaling.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/checked_size.h"
#include "causeway/ops/build.h"
#include "causeway/ops/layer_norm.h"

namespace causeway::nn {
namespace {

// Numbers as a constant: one for all, or one for each place of the last axis.
Value constant_of(LayerBuild& build, const Value& x, const std::vector<float>& numbers, const std::string& what) {
  if (numbers.empty()) unfit("'" + what + "' holds no number.");
  for (const float number : numbers) {
    if (!std::isfinite(number)) unfit("'" + what + "' holds " + text_of(number) + ", and finite numbers are read.");
  }
  if (numbers.size() == 1) return ops::number_like(x, static_cast<double>(numbers[0]));
  const auto count = static_cast<int64_t>(numbers.size());
  if (const int64_t channels = slot_length(x, -1); channels != count) {
    unfit("'" + what + "' holds " + std::to_string(count) + " numbers, and there are " + std::to_string(channels) +
          " channels.");
  }
  return build.graph.constant(Tensor::of<float>({count}, numbers), what);
}

}  // namespace

std::vector<int64_t> row_axes(const Value& x, const std::vector<int64_t>& axes) {
  if (!x.shape().has_rank()) slot_length(x, -1);
  std::vector<int64_t> found;
  for (const int64_t axis : axes) found.push_back(static_cast<int64_t>(axis_in(axis, x.shape().rank())));
  std::sort(found.begin(), found.end());
  if (found.empty() || found.front() == 0 || std::adjacent_find(found.begin(), found.end()) != found.end()) {
    unfit("'axis' is empty, or names the batch or an axis twice; axes of a row are read, each once.");
  }
  return found;
}

Value unit_of(const Value& x, const std::vector<int64_t>& axes) {
  constexpr double kLeastSquare = 1e-12;
  return ops::div(x, ops::sqrt(ops::max(ops::reduce_sum(ops::square(x), axes, true), kLeastSquare)));
}

Flow RMSNormalization::build(LayerBuild& build, const Flow& x) const {
  expect_not_negative(epsilon, "epsilon");
  const std::vector<int64_t> axes = row_axes(x.value, axis);
  std::vector<int64_t> lengths, listed;
  for (const int64_t each : axes) {
    listed.push_back(each - static_cast<int64_t>(x.value.shape().rank()));
    if (scale) lengths.push_back(slot_length(x.value, each));
  }
  Value weight;
  if (scale) {
    weight = build.slot("weight", {.lengths = lengths, .initializer = gamma_initializer, .penalty = gamma_regularizer});
  }
  return {build.graph.add1(ops::LayerNorm{.axes = listed, .epsilon = epsilon, .rms = true}, {x.value, weight})};
}

Flow UnitNormalization::build(LayerBuild&, const Flow& x) const { return {unit_of(x.value, row_axes(x.value, axis))}; }

Flow Normalization::build(LayerBuild& build, const Flow& x) const {
  const std::vector<int64_t> axes = axis.empty() ? axis : row_axes(x.value, axis);
  std::vector<int64_t> lengths, spread;
  for (const int64_t each : axes) lengths.push_back(slot_length(x.value, each));
  const std::optional<int64_t> count = checked_product(lengths);
  // With a length of 1 along the axes behind the first that have one number for all.
  if (!axes.empty()) spread.assign(x.value.shape().rank() - static_cast<size_t>(axes.front()), 1);
  for (size_t i = 0; i < axes.size(); ++i) spread[static_cast<size_t>(axes[i] - axes.front())] = lengths[i];
  for (const float number : variance) expect_not_negative(number, "variance");
  const auto slot = [&](const char* name, const std::vector<float>& numbers) {
    if (numbers.size() != 1 && static_cast<int64_t>(numbers.size()) != count) {
      unfit("'" + std::string(name) + "' holds " + std::to_string(numbers.size()) + " numbers, and " +
            text_of(lengths) + " are read.");
    }
    SlotSpec spec{.lengths = lengths, .role = Role::Measured};
    spec.stated = numbers;
    const Value made = build.slot(name, spec);
    return spread.size() == lengths.size() ? made : ops::reshape(made, spread);
  };
  const Value means = slot("mean", mean), variances = slot("variance", variance);
  constexpr double kLeastDeviation = 1e-7;
  const Value deviation = ops::max(ops::sqrt(variances), kLeastDeviation);
  if (invert) return {ops::add(ops::mul(x.value, deviation), means)};
  return {ops::div(ops::sub(x.value, means), deviation)};
}

Flow Rescaling::build(LayerBuild& build, const Flow& x) const {
  const Value scaled = ops::mul(x.value, constant_of(build, x.value, scale, "scale"));
  return {ops::add(scaled, constant_of(build, x.value, offset, "offset"))};
}

}  // namespace causeway::nn
