#include "causeway/nn/layers/depthwise_conv.h"

#include <numeric>

#include "causeway/nn/layers/conv.h"
#include "causeway/nn/setting_ranges.h"
#include "causeway/nn/window_words.h"
#include "causeway/ops/conv.h"

namespace causeway::nn {

template <size_t kAxes>
Flow DepthwiseConv<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  if (depth_multiplier < 1) {
    unfit("'depth_multiplier' is " + std::to_string(depth_multiplier) + ", and at least 1 is made of a channel.");
  }
  const ops::Window window =
      window_of(kAxes, kernel_size, strides, dilation_rate, padding, /*ceil_mode=*/false, /*causal=*/true);
  const int64_t in = slot_length(x.value, -1), out = times(in, depth_multiplier, "depth_multiplier");
  const double taps = std::accumulate(window.size.begin(), window.size.end(), 1.0,
                                      [](double a, int64_t b) { return a * static_cast<double>(b); });
  // As Keras counts them, whose weight is [k…, in, m]; PyTorch counts the one channel that a filter reads.
  const bool is_torch = depthwise_initializer.word == "torch_uniform";
  const Fans fans{is_torch ? taps : taps * static_cast<double>(in), taps * static_cast<double>(depth_multiplier)};
  SlotSpec weight{.lengths = window.size,
                  .initializer = depthwise_initializer,
                  .penalty = depthwise_regularizer,
                  .max_norm = depthwise_constraint,
                  .fans = fans};
  weight.lengths.insert(weight.lengths.end(), {1, out});
  weight.bound_axes.emplace(kAxes);
  std::iota(weight.bound_axes->begin(), weight.bound_axes->end(), size_t{0});
  Values inputs{x.value, build.slot("weight", weight)};
  if (use_bias) {
    inputs.push_back(build.slot("bias", {.lengths = {out},
                                         .initializer = bias_initializer,
                                         .penalty = bias_regularizer,
                                         .max_norm = bias_constraint,
                                         .fans = fans}));
  }
  return {build.graph.add1(ops::Conv{.window = window, .groups = in, .layout = ops::Layout::ChannelsLast}, inputs)};
}
template struct DepthwiseConv<1>;
template struct DepthwiseConv<2>;

template <size_t kAxes>
Flow SeparableConv<kAxes>::build(LayerBuild& build, const Flow& x) const {
  LayerBuild depthwise = build.part("depthwise"), pointwise = build.part("pointwise");
  const Flow between = DepthwiseConv<kAxes>{.kernel_size = kernel_size,
                                            .strides = strides,
                                            .dilation_rate = dilation_rate,
                                            .padding = padding,
                                            .depth_multiplier = depth_multiplier,
                                            .use_bias = false,
                                            .depthwise_initializer = depthwise_initializer,
                                            .depthwise_regularizer = depthwise_regularizer,
                                            .depthwise_constraint = depthwise_constraint}
                           .build(depthwise, x);
  return Conv<kAxes>{.filters = filters,
                     .kernel_size = 1,
                     .use_bias = use_bias,
                     .kernel_initializer = pointwise_initializer,
                     .bias_initializer = bias_initializer,
                     .kernel_regularizer = pointwise_regularizer,
                     .bias_regularizer = bias_regularizer,
                     .kernel_constraint = pointwise_constraint,
                     .bias_constraint = bias_constraint}
      .build(pointwise, between);
}
template struct SeparableConv<1>;
template struct SeparableConv<2>;

}  // namespace causeway::nn
