#include "causeway/nn/layers/shaping.h"

#include <algorithm>

#include "causeway/nn/window_words.h"
#include "causeway/ops/build.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/flatten.h"

namespace causeway::nn {
namespace {

void expect_rate(float rate) {
  if (!(rate >= 0 && rate < 1)) unfit("'rate' is " + text_of(rate) + ", and lies in [0, 1).");
}

}  // namespace

Flow Flatten::build(LayerBuild& build, const Flow& x) const {
  return {build.graph.add1(ops::Flatten{.axis = 1}, {x.value})};
}

Flow Reshape::build(LayerBuild&, const Flow& x) const {
  for (const int64_t length : target_shape) {
    if (length < -1 || length == 0)
      unfit("'target_shape' holds " + std::to_string(length) + ", and lengths of at least 1, or one -1, are read.");
  }
  if (std::count(target_shape.begin(), target_shape.end(), -1) > 1) unfit("'target_shape' holds more than one -1.");
  std::vector<int64_t> lengths{0};
  lengths.insert(lengths.end(), target_shape.begin(), target_shape.end());
  const Value y = ops::reshape(x.value, lengths);
  // The batch is kept, so an example keeps its count; where that is known it is checked here.
  if (x.value.shape().has_rank() && y.shape().has_rank()) {
    Dim before = 1, after = 1;
    for (size_t axis = 1; axis < x.value.shape().rank(); ++axis) before = before * x.value.shape()[axis];
    for (size_t axis = 1; axis < y.shape().rank(); ++axis) after = after * y.shape()[axis];
    if (before.equals(after) == false) {
      unfit("an example of " + x.value.shape().text() + " does not make [" + text_of(target_shape).substr(1) + ".");
    }
  }
  return {y};
}

Flow Permute::build(LayerBuild&, const Flow& x) const {
  std::vector<size_t> axes{0};
  for (const int64_t dim : dims) axes.push_back(static_cast<size_t>(std::max<int64_t>(dim, 0)));
  std::vector<size_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != i) unfit("'dims' is " + text_of(dims) + ", and holds each axis from 1 once.");
  }
  if (x.value.shape().has_rank() && axes.size() != x.value.shape().rank()) {
    unfit("'dims' is " + text_of(dims) + ", and it is handed " + x.value.shape().text() + ".");
  }
  return {ops::transpose(x.value, axes)};
}

Flow Dropout::build(LayerBuild& build, const Flow& x) const {
  expect_rate(rate);
  if (x.value.shape().has_rank() && !noise_shape.empty() && noise_shape.size() != x.value.shape().rank()) {
    unfit("'noise_shape' has " + std::to_string(noise_shape.size()) + " axes, and it is handed " +
          x.value.shape().text() + ".");
  }
  std::vector<int64_t> shared;
  for (size_t axis = 0; axis < noise_shape.size(); ++axis) {
    if (noise_shape[axis] == 1) shared.push_back(static_cast<int64_t>(axis));
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

}  // namespace causeway::nn
