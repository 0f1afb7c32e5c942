#include "causeway/nn/layers/dropout.h"

#include "causeway/nn/window_words.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/noise.h"

namespace causeway::nn {
namespace {

void expect_rate(float rate) {
  if (!(rate >= 0 && rate < 1)) unfit("'rate' is " + text_of(rate) + ", and lies in [0, 1).");
}

}  // namespace

Flow Dropout::build(LayerBuild& build, const Flow& x) const {
  expect_rate(rate);
  const Shape& shape = x.value.shape();
  const size_t axes = noise_shape.each.size();
  if (shape.has_rank() && axes > 0 && axes != shape.rank()) {
    unfit("'noise_shape' has " + std::to_string(axes) + " axes, and it is handed " + shape.text() + ".");
  }
  std::vector<int64_t> shared;
  for (size_t axis = 0; axis < axes; ++axis) {
    const std::optional<int64_t> length = noise_shape.each[axis];
    if (length == 1) shared.push_back(static_cast<int64_t>(axis));
    if (!length || length == 1 || !shape.has_rank() || shape[axis].equals(*length) != std::optional(false)) continue;
    unfit("'noise_shape' is " + std::to_string(*length) + " along axis " + std::to_string(axis) + ", and " +
          shape.text() + " is handed to it: 1 shares a draw, the length draws for each.");
  }
  return {build.graph.add1(ops::Dropout{.rate = rate, .shared_axes = shared}, {x.value})};
}

template <size_t kAxes>
Flow SpatialDropout<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_rate(rate);
  expect_places(x.value, kAxes);
  std::vector<int64_t> shared;
  for (size_t axis = 0; axis < kAxes; ++axis) shared.push_back(static_cast<int64_t>(axis) + 1);
  return {build.graph.add1(ops::Dropout{.rate = rate, .shared_axes = shared}, {x.value})};
}
template struct SpatialDropout<1>;
template struct SpatialDropout<2>;
template struct SpatialDropout<3>;

Flow GaussianDropout::build(LayerBuild& build, const Flow& x) const {
  return {build.graph.add1(ops::GaussianDropout{.rate = rate}, {x.value})};
}

Flow GaussianNoise::build(LayerBuild& build, const Flow& x) const {
  return {build.graph.add1(ops::GaussianNoise{.stddev = stddev}, {x.value})};
}

Flow AlphaDropout::build(LayerBuild& build, const Flow& x) const {
  return {build.graph.add1(ops::AlphaDropout{.rate = rate}, {x.value})};
}

}  // namespace causeway::nn
