#include "causeway/nn/layers/shaping.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/tile.h"

namespace causeway::nn {

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

Flow RepeatVector::build(LayerBuild& build, const Flow& x) const {
  if (n < 1) unfit("'n' is " + std::to_string(n) + ", and a row is repeated at least once.");
  if (x.value.shape().has_rank() && x.value.shape().rank() != 2) {
    unfit("it is handed " + x.value.shape().text() + ", and takes rows [N, C].");
  }
  return {build.graph.add1(ops::Tile{}, {ops::unsqueeze(x.value, {1}), ops::integers(build.graph, {1, n, 1})})};
}

Flow SliceBlock::build(LayerBuild&, const Flow& x) const {
  if (step < 1) unfit("'step' is " + std::to_string(step) + ", and at least 1 is read.");
  if (x.value.shape().has_rank() && axis_in(axis, x.value.shape().rank()) == 0) {
    unfit("'axis' is the batch, and a block is taken of another.");
  }
  return {ops::slice_some(x.value, axis, start, stop.value_or(INT64_MAX), step)};
}

Flow Select::build(LayerBuild&, const Flow& x) const {
  if (x.value.shape().has_rank()) {
    const size_t at = axis_in(axis, x.value.shape().rank());
    if (at == 0) unfit("'axis' is the batch, and a place is taken of another.");
    const std::optional<int64_t> length = x.value.shape()[at].if_number();
    if (length && (index < -*length || index >= *length)) {
      unfit("'index' is " + std::to_string(index) + ", and axis " + std::to_string(axis) + " has " +
            std::to_string(*length) + " places.");
    }
  }
  return {ops::gather(x.value, x.value.graph().scalar(index), axis)};
}

}  // namespace causeway::nn
