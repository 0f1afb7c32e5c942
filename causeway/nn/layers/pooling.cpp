#include "causeway/nn/layers/pooling.h"

#include <numeric>

#include "causeway/nn/window_words.h"
#include "causeway/ops/average_pool.h"
#include "causeway/ops/build.h"
#include "causeway/ops/max_pool.h"
#include "causeway/ops/pad.h"

namespace causeway::nn {
namespace {

std::vector<int64_t> place_axes(size_t axes) {
  std::vector<int64_t> places(axes);
  std::iota(places.begin(), places.end(), int64_t{1});
  return places;
}

}  // namespace

template <size_t kAxes>
Flow MaxPooling<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  const ops::Window window = window_of(kAxes, pool_size, strides.is_given() ? strides : pool_size, dilation_rate,
                                       padding, ceil_mode, /*causal=*/false);
  return {build.graph.add1(ops::MaxPool{.window = window, .layout = ops::Layout::ChannelsLast}, {x.value})};
}

template <size_t kAxes>
Flow AveragePooling<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  const ops::Window window =
      window_of(kAxes, pool_size, strides.is_given() ? strides : pool_size, 1, padding, ceil_mode, /*causal=*/false);
  return {build.graph.add1(
      ops::AveragePool{.window = window, .layout = ops::Layout::ChannelsLast, .count_include_pad = count_include_pad},
      {x.value})};
}

template <size_t kAxes>
Flow GlobalMaxPooling<kAxes>::build(LayerBuild&, const Flow& x) const {
  expect_places(x.value, kAxes);
  return {ops::reduce_max(x.value, place_axes(kAxes), keepdims)};
}

// A mean over masked steps counts the real ones alone, and is 0 where there are none.
template <size_t kAxes>
Flow GlobalAveragePooling<kAxes>::build(LayerBuild&, const Flow& x) const {
  expect_places(x.value, kAxes);
  if (kAxes != 1 || !x.mask) return {ops::reduce_mean(x.value, place_axes(kAxes), keepdims)};
  const Value real = ops::unsqueeze(ops::cast(x.mask, DType::Float32), {2});
  const Value sum = ops::reduce_sum(ops::mul(x.value, real), {1}, keepdims);
  const Value count = ops::reduce_sum(real, {1}, keepdims);
  return {ops::div(sum, ops::max(count, 1.0))};
}

template <size_t kAxes>
Flow ZeroPadding<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  if (padding.kind != Padding::Kind::Stated) unfit("'padding' is a word, and numbers are read here.");
  if (padding.sides.size() != 1 && padding.sides.size() != kAxes) {
    unfit("'padding' states " + std::to_string(padding.sides.size()) + " axes, and there are " + std::to_string(kAxes) +
          ".");
  }
  std::vector<int64_t> pads(2 * (kAxes + 2), 0);
  for (size_t axis = 0; axis < kAxes; ++axis) {
    const auto& [before, after] = padding.sides[padding.sides.size() == 1 ? 0 : axis];
    pads[1 + axis] = before;
    pads[kAxes + 2 + 1 + axis] = after;
  }
  return {build.graph.add1(ops::Pad{.mode = ops::PadMode::Constant}, {x.value, ops::integers(build.graph, pads)})};
}

#define CAUSEWAY_NOTHING
CAUSEWAY_OVER_AXES(MaxPooling, CAUSEWAY_NOTHING);
CAUSEWAY_OVER_AXES(AveragePooling, CAUSEWAY_NOTHING);
CAUSEWAY_OVER_AXES(GlobalMaxPooling, CAUSEWAY_NOTHING);
CAUSEWAY_OVER_AXES(GlobalAveragePooling, CAUSEWAY_NOTHING);
CAUSEWAY_OVER_AXES(ZeroPadding, CAUSEWAY_NOTHING);

}  // namespace causeway::nn
