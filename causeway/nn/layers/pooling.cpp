#include "causeway/nn/layers/pooling.h"

#include <limits>
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
Flow GlobalMaxPooling<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  const Value stated = build.named_value("mask", mask);
  if (!stated) return {ops::reduce_max(x.value, place_axes(kAxes), keepdims)};
  const Value real = ops::unsqueeze(stated, {2});
  const Value largest =
      ops::reduce_max(ops::where(real, x.value, -std::numeric_limits<double>::infinity()), {1}, keepdims);
  const Value any = ops::greater(ops::reduce_max(ops::cast(real, DType::Float32), {1}, keepdims), 0.0);
  return {ops::where(any, largest, 0.0)};
}

// A mean over masked steps counts the real ones alone, and is 0 where there are none.
template <size_t kAxes>
Flow GlobalAveragePooling<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  Value counted = build.named_value("mask", mask);
  if (!counted) counted = x.mask;
  if (kAxes != 1 || !counted) return {ops::reduce_mean(x.value, place_axes(kAxes), keepdims)};
  const Value real = ops::unsqueeze(counted, {2});
  const Value sum = ops::reduce_sum(ops::where(real, x.value, 0.0), {1}, keepdims);
  const Value count = ops::reduce_sum(ops::cast(real, DType::Float32), {1}, keepdims);
  return {ops::div(sum, ops::max(count, 1.0))};
}

template <size_t kAxes>
Flow ZeroPadding<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  const auto sides = padding.over(kAxes, "padding");
  std::vector<int64_t> pads(2 * (kAxes + 2), 0);
  for (size_t axis = 0; axis < kAxes; ++axis) {
    pads[1 + axis] = sides[axis].first;
    pads[kAxes + 2 + 1 + axis] = sides[axis].second;
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
