#include "causeway/nn/layers/padding.h"

#include "causeway/base/quoted.h"
#include "causeway/nn/window_words.h"
#include "causeway/ops/build.h"
#include "causeway/ops/slice.h"

namespace causeway::nn {
template <size_t kAxes>
Flow PadPlaces<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  const auto words = words_of(ops::PadMode{});
  size_t which = 0;
  while (which < words.size() && words[which] != mode) ++which;
  if (which == words.size()) {
    unfit("'mode' is " + quoted(mode) + ", and \"constant\", \"reflect\", \"edge\" or \"wrap\" is read.");
  }
  if (value != 0 && mode != "constant")
    unfit("'value' goes with the mode \"constant\", and 'mode' is " + quoted(mode) + ".");
  const auto sides = padding.over(kAxes, "padding");
  std::vector<int64_t> pads(2 * (kAxes + 2), 0);
  for (size_t axis = 0; axis < kAxes; ++axis) {
    pads[1 + axis] = sides[axis].first;
    pads[kAxes + 2 + 1 + axis] = sides[axis].second;
  }
  Values inputs{x.value, ops::integers(build.graph, pads)};
  if (value != 0) inputs.push_back(build.graph.scalar(value));
  return {build.graph.add1(ops::Pad{.mode = static_cast<ops::PadMode>(which)}, inputs)};
}

template <size_t kAxes>
Flow Cropping<kAxes>::build(LayerBuild&, const Flow& x) const {
  expect_places(x.value, kAxes);
  const auto sides = cropping.over(kAxes, "cropping");
  Value y = x.value;
  for (size_t i = 0; i < kAxes; ++i) {
    const auto& [before, after] = sides[i];
    const auto axis = static_cast<int64_t>(i) + 1;
    const std::optional<int64_t> length =
        y.shape().has_rank() ? y.shape().at(axis).if_number() : std::optional<int64_t>();
    if (length && (before >= *length || after >= *length - before)) {
      unfit("'cropping' takes " + std::to_string(before) + " and " + std::to_string(after) + " of " +
            std::to_string(*length) + " places, and leaves none.");
    }
    if (before > 0 || after > 0) y = ops::slice_some(y, axis, before, after == 0 ? INT64_MAX : -after);
  }
  return {y};
}

namespace {

// The middle `count` places of one axis.
Value middle(const Value& x, int64_t axis, int64_t count, std::string_view setting) {
  if (count < 1) unfit("'" + std::string(setting) + "' is " + std::to_string(count) + ", and at least 1 is kept.");
  if (const std::optional<int64_t> length = x.shape().at(axis).if_number()) {
    if (*length < count) {
      unfit("'" + std::string(setting) + "' is " + std::to_string(count) + ", and the image has " +
            std::to_string(*length) + " places there.");
    }
    const int64_t start = (*length - count) / 2;
    return *length == count ? x : ops::slice(x, axis, start, start + count);
  }
  // Worked when the length is bound. Of fewer places too few are cut, and the count that is said here does not fit.
  GraphBuilder& graph = x.graph();
  const Value length = ops::slice(ops::shape_of(x), 0, axis, axis + 1);
  const Value start = ops::div(ops::shifted(length, static_cast<double>(-count)), ops::integers(graph, {2}));
  const Value end = ops::shifted(start, static_cast<double>(count));
  const Value y = graph.add1(ops::Slice{}, {x, start, end, ops::integers(graph, {axis})});
  std::vector<int64_t> lengths(x.shape().rank(), 0);
  lengths[static_cast<size_t>(axis)] = count;
  return ops::reshape(y, lengths);
}

}  // namespace

Flow CenterCrop::build(LayerBuild&, const Flow& x) const {
  expect_places(x.value, 2);
  if (!x.value.shape().has_rank()) slot_length(x.value, -1);
  return {middle(middle(x.value, 1, height, "height"), 2, width, "width")};
}

template struct PadPlaces<1>;
template struct PadPlaces<2>;
template struct PadPlaces<3>;
template struct Cropping<1>;
template struct Cropping<2>;
template struct Cropping<3>;

}  // namespace causeway::nn
