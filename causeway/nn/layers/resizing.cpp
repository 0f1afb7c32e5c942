#include "causeway/nn/layers/resizing.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/nn/window_words.h"
#include "causeway/ops/build.h"
#include "causeway/ops/tile.h"

namespace causeway::nn {
namespace {

constexpr int64_t kMostPlaces = int64_t{1} << 22;

double source_of(const std::string& coordinates, int64_t i, int64_t from, int64_t to) {
  const auto place = static_cast<double>(i), length = static_cast<double>(from), made = static_cast<double>(to);
  if (coordinates == "half_pixel") return (place + 0.5) * length / made - 0.5;
  if (coordinates == "asymmetric") return place * length / made;
  return to == 1 ? 0 : place * (length - 1) / (made - 1);
}

// Where nearest reads, in whole numbers: ⌊(i + ½) · L/n⌋ or ⌊i · L/n⌋.
int64_t nearest_of(const std::string& coordinates, int64_t i, int64_t from, int64_t to) {
  const int64_t place = coordinates == "half_pixel" ? (2 * i + 1) * from / (2 * to) : i * from / to;
  return std::clamp<int64_t>(place, 0, from - 1);
}

Value resized(const Value& x, int64_t axis, int64_t to, const std::string& interpolation,
              const std::string& coordinates) {
  const int64_t from = slot_length(x, axis);
  if (from < 1) unfit("it is handed " + x.shape().text() + ", which has no place to read.");
  if (to > kMostPlaces || from > kMostPlaces)
    unfit("it is resized over more than " + std::to_string(kMostPlaces) + " places.");
  std::vector<int64_t> lower, upper;
  std::vector<float> below, above;
  for (int64_t i = 0; i < to; ++i) {
    if (interpolation == "nearest") {
      lower.push_back(nearest_of(coordinates, i, from, to));
      continue;
    }
    const double u = std::clamp(source_of(coordinates, i, from, to), 0.0, static_cast<double>(from - 1));
    const auto first = static_cast<int64_t>(std::floor(u));
    lower.push_back(first);
    upper.push_back(std::min(first + 1, from - 1));
    const double share = u - std::floor(u);
    above.push_back(static_cast<float>(share));
    below.push_back(static_cast<float>(1 - share));
  }
  GraphBuilder& graph = x.graph();
  const Value read = ops::gather(x, ops::integers(graph, lower), axis);
  if (interpolation == "nearest") return read;
  std::vector<int64_t> spread(x.shape().rank() - static_cast<size_t>(axis), 1);
  spread[0] = to;
  const std::string along = std::to_string(axis);
  const Value low = ops::mul(read, graph.constant(Tensor::of(spread, below), "below_" + along));
  const Value high = ops::mul(ops::gather(x, ops::integers(graph, upper), axis),
                              graph.constant(Tensor::of(spread, above), "above_" + along));
  return ops::add(low, high);
}

// Every place `size` times, one beside the other: a new axis behind the place axis is repeated, and the two become one.
Value repeated(const Value& x, size_t axis, int64_t size) {
  const std::optional<int64_t> length = x.shape()[axis].if_number();
  const std::optional<int64_t> made = length ? checked_multiply(*length, size) : -1;
  if (!made) unfit("'size' makes more places than can be counted.");
  std::vector<int64_t> lengths(axis, 0), repeats(x.shape().rank() + 1, 1);
  lengths.push_back(*made);
  for (size_t behind = axis + 1; behind < x.shape().rank(); ++behind) {
    lengths.push_back(slot_length(x, static_cast<int64_t>(behind)));
  }
  repeats[axis + 1] = size;
  const Value wide = ops::unsqueeze(x, {static_cast<int64_t>(axis) + 1});
  return ops::reshape(x.graph().add1(ops::Tile{}, {wide, ops::integers(x.graph(), repeats)}), lengths);
}

}  // namespace

template <size_t kAxes>
Flow UpSampling<kAxes>::build(LayerBuild&, const Flow& x) const {
  expect_places(x.value, kAxes);
  if (!x.value.shape().has_rank()) slot_length(x.value, -1);
  const std::vector<int64_t> sizes = size.over(kAxes, "size");
  if (interpolation != "nearest" && (kAxes != 2 || interpolation != "bilinear")) {
    unfit("'interpolation' is " + quoted(interpolation) + ", and \"nearest\"" + (kAxes == 2 ? " or \"bilinear\"" : "") +
          " is read.");
  }
  Value y = x.value;
  for (size_t axis = 1; axis <= kAxes; ++axis) {
    const int64_t times = sizes[axis - 1];
    if (times < 1) unfit("'size' is " + std::to_string(times) + ", and at least 1 is read.");
    if (times == 1) continue;
    if (interpolation == "nearest") {
      y = repeated(y, axis, times);
    } else {
      const auto along = static_cast<int64_t>(axis);
      const std::optional<int64_t> made = checked_multiply(slot_length(y, along), times);
      if (!made) unfit("'size' makes more places than can be counted.");
      y = resized(y, along, *made, "bilinear", "half_pixel");
    }
  }
  return {y};
}
template struct UpSampling<1>;
template struct UpSampling<2>;
template struct UpSampling<3>;

Flow Resizing::build(LayerBuild&, const Flow& x) const {
  expect_places(x.value, 2);
  if (height < 1 || width < 1) unfit("'height' and 'width' are at least 1.");
  if (interpolation != "bilinear" && interpolation != "nearest") {
    unfit("'interpolation' is " + quoted(interpolation) + ", and \"bilinear\" or \"nearest\" is read.");
  }
  if (coordinates != "half_pixel" && coordinates != "asymmetric" && coordinates != "align_corners") {
    unfit("'coordinates' is " + quoted(coordinates) +
          ", and \"half_pixel\", \"asymmetric\" or \"align_corners\" is read.");
  }
  if (interpolation == "nearest" && coordinates == "align_corners") {
    unfit(
        "'coordinates' is \"align_corners\", where no place is the nearest by one rule. Take \"half_pixel\" or "
        "\"asymmetric\".");
  }
  return {resized(resized(x.value, 1, height, interpolation, coordinates), 2, width, interpolation, coordinates)};
}

}  // namespace causeway::nn
