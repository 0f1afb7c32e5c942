#include "causeway/nn/layers/transposed_conv.h"

#include <algorithm>

#include "causeway/nn/window_words.h"
#include "causeway/ops/build.h"
#include "causeway/ops/conv.h"
#include "causeway/ops/pad.h"

namespace causeway::nn {
namespace {

// The window of the convolution that this is the gradient of; the places made of L are L · stride + more, and `zeros`
// further ones that no tap reaches.
struct Spread {
  ops::Window window;
  std::vector<int64_t> more, zeros;
};

Spread spread_of(size_t axes, ops::Window window, const Padding& padding, const std::optional<PerAxis>& further) {
  const bool is_same = padding.kind == Padding::Kind::Same;
  if (is_same && further)
    unfit("'output_padding' does not go with the border \"same\": Keras's backends read it in two ways.");
  window.border = ops::Border::Stated;
  Spread spread{std::move(window), {}, std::vector<int64_t>(axes, 0)};
  const std::vector<int64_t> stated = further ? further->over(axes, "output_padding") : std::vector<int64_t>(axes, 0);
  for (size_t axis = 0; axis < axes; ++axis) {
    const int64_t stride = spread.window.stride[axis], reach = spread.window.reach(axis);
    int64_t &before = spread.window.before[axis], &after = spread.window.after[axis];
    if (is_same) {
      before = std::max<int64_t>(0, reach - stride) / 2;
      after = std::max<int64_t>(0, reach - stride) - before;
      spread.more.push_back(0);
    } else if (padding.kind == Padding::Kind::Valid && !further) {
      spread.more.push_back(std::max(reach, stride) - stride);
    } else {
      const int64_t q = stated[axis], most = std::max(stride, spread.window.dilation[axis]);
      if (q < 0 || q >= most) {
        unfit("'output_padding' is " + std::to_string(q) + ", and 0 to " + std::to_string(most - 1) +
              ", less than the stride or the dilation, is read.");
      }
      // First what the border after would drop, then places that a stride leaves out, then such as nothing reaches.
      const int64_t inside = std::min(q, after), between = std::min(q - inside, stride - 1);
      after -= inside;
      spread.more.push_back(reach - stride - before - after + between);
      spread.zeros[axis] = q - inside - between;
    }
  }
  return spread;
}

}  // namespace

template <size_t kAxes>
Flow TransposedConv<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  if (filters < 1) unfit("'filters' is " + std::to_string(filters) + ", and at least 1 is made.");
  const Spread spread = spread_of(kAxes,
                                  window_of(kAxes, kernel_size, strides, dilation_rate, padding, /*ceil_mode=*/false,
                                            /*causal=*/false),
                                  padding, output_padding);
  const int64_t in = slot_length(x.value, -1);
  if (groups < 1 || in % groups != 0 || filters % groups != 0) {
    unfit("'groups' is " + std::to_string(groups) + ", and " + std::to_string(in) + " channels in and " +
          std::to_string(filters) + " filters do not both divide by it.");
  }
  SlotSpec weight{.lengths = spread.window.size,
                  .initializer = kernel_initializer,
                  .penalty = kernel_regularizer,
                  .max_norm = kernel_constraint};
  weight.lengths.insert(weight.lengths.end(), {filters / groups, in});
  // One filter's numbers lie along all axes but its own, the last but one.
  weight.bound_axes.emplace();
  for (size_t axis = 0; axis < kAxes; ++axis) weight.bound_axes->push_back(axis);
  weight.bound_axes->push_back(kAxes + 1);
  const Value numbers = build.slot("weight", weight);

  const Value shape = ops::shape_of(x.value), places = ops::slice(shape, 0, 1, 1 + static_cast<int64_t>(kAxes));
  const Value made = ops::add(ops::mul(places, ops::integers(build.graph, spread.window.stride)),
                              ops::integers(build.graph, spread.more));
  const Value lengths = ops::concat({ops::slice(shape, 0, 0, 1), made, ops::integers(build.graph, {filters})}, 0);
  Value y =
      build.graph.add1(ops::ConvInputGradient{.window = spread.window, .groups = groups}, {x.value, numbers, lengths});
  if (std::any_of(spread.zeros.begin(), spread.zeros.end(), [](int64_t zeros) { return zeros > 0; })) {
    std::vector<int64_t> pads(2 * (kAxes + 2), 0);
    std::copy(spread.zeros.begin(), spread.zeros.end(), pads.begin() + kAxes + 3);
    y = build.graph.add1(ops::Pad{}, {y, ops::integers(build.graph, pads)});
  }
  if (use_bias) {
    y = ops::add(y, build.slot("bias", {.lengths = {filters},
                                        .initializer = bias_initializer,
                                        .penalty = bias_regularizer,
                                        .max_norm = bias_constraint,
                                        .fans = fans_of(weight.lengths)}));
  }
  return {y};
}
template struct TransposedConv<1>;
template struct TransposedConv<2>;
template struct TransposedConv<3>;

}  // namespace causeway::nn
