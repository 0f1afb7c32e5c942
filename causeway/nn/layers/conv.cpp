#include "causeway/nn/layers/conv.h"

#include "causeway/nn/window_words.h"
#include "causeway/ops/build.h"
#include "causeway/ops/conv.h"

namespace causeway::nn {

template <size_t kAxes>
Flow Conv<kAxes>::build(LayerBuild& build, const Flow& x) const {
  expect_places(x.value, kAxes);
  if (filters < 1) unfit("'filters' is " + std::to_string(filters) + ", and at least 1 is made.");
  const ops::Window window =
      window_of(kAxes, kernel_size, strides, dilation_rate, padding, /*ceil_mode=*/false, /*causal=*/true);
  const int64_t in = slot_length(x.value, -1);
  if (groups < 1 || in % groups != 0 || filters % groups != 0) {
    unfit("'groups' is " + std::to_string(groups) + ", and " + std::to_string(in) + " channels in and " +
          std::to_string(filters) + " filters do not both divide by it.");
  }
  std::vector<int64_t> lengths = window.size;
  lengths.push_back(in / groups);
  lengths.push_back(filters);
  Values inputs{x.value, build.slot("weight", {.lengths = lengths,
                                               .initializer = kernel_initializer,
                                               .penalty = kernel_regularizer,
                                               .max_norm = kernel_constraint})};
  if (use_bias) {
    inputs.push_back(build.slot("bias", {.lengths = {filters},
                                         .initializer = bias_initializer,
                                         .penalty = bias_regularizer,
                                         .max_norm = bias_constraint,
                                         .fans = fans_of(lengths)}));
  }
  return {build.graph.add1(ops::Conv{.window = window, .groups = groups, .layout = ops::Layout::ChannelsLast}, inputs)};
}

template struct Conv<1>;
template struct Conv<2>;
template struct Conv<3>;

}  // namespace causeway::nn
