#include "causeway/nn/layers/normalization.h"

#include <algorithm>
#include <set>

#include "causeway/base/quoted.h"
#include "causeway/ops/build.h"
#include "causeway/ops/layer_norm.h"

namespace causeway::nn {

Flow BatchNormalization::build(LayerBuild& build, const Flow& x) const {
  expect_not_negative(epsilon, "epsilon");
  if (!(momentum >= 0 && momentum <= 1)) {
    unfit("'momentum' is " + text_of(momentum) + ", and the share of the old that is kept lies in [0, 1].");
  }
  if (running_variance != "unbiased" && running_variance != "biased") {
    unfit("'running_variance' is " + quoted(running_variance) + ", and \"unbiased\" or \"biased\" is read.");
  }
  if (x.value.shape().has_rank() && axis_in(axis, x.value.shape().rank()) == 0) {
    unfit("'axis' is the batch, and a normalization runs along another.");
  }
  const int64_t channels = slot_length(x.value, axis);
  const std::vector<int64_t> lengths{channels};
  Values inputs{x.value, {}, {}};
  if (scale) {
    inputs[1] = build.slot("weight", {.lengths = lengths,
                                      .initializer = gamma_initializer,
                                      .penalty = gamma_regularizer,
                                      .max_norm = gamma_constraint});
  }
  if (center) {
    inputs[2] = build.slot("bias", {.lengths = lengths,
                                    .initializer = beta_initializer,
                                    .penalty = beta_regularizer,
                                    .max_norm = beta_constraint});
  }
  inputs.push_back(build.slot("running_mean", {.lengths = lengths, .role = Role::Measured}));
  inputs.push_back(
      build.slot("running_var", {.lengths = lengths, .initializer = {.word = "ones"}, .role = Role::Measured}));
  const auto variance = running_variance == "biased" ? ops::RunningVariance::Biased : ops::RunningVariance::Unbiased;
  return {build.graph.add1(
      ops::BatchNorm{.axis = axis, .epsilon = epsilon, .momentum = momentum, .running_variance = variance}, inputs)};
}

Flow LayerNormalization::build(LayerBuild& build, const Flow& x) const {
  expect_not_negative(epsilon, "epsilon");
  if (!x.value.shape().has_rank()) slot_length(x.value, -1);
  std::set<size_t> axes;
  for (const int64_t each : axis) {
    const size_t at = axis_in(each, x.value.shape().rank());
    if (at == 0) unfit("'axis' holds the batch, and a normalization runs along others.");
    axes.insert(at);
  }
  if (axes.empty()) unfit("'axis' is empty, and at least one is normalized.");
  std::vector<int64_t> lengths, listed;
  for (const size_t at : axes) {
    listed.push_back(static_cast<int64_t>(at) - static_cast<int64_t>(x.value.shape().rank()));
    lengths.push_back(slot_length(x.value, listed.back()));
  }
  Value weight, bias;
  if (scale) {
    weight = build.slot("weight", SlotSpec{.lengths = lengths,
                                           .initializer = gamma_initializer,
                                           .penalty = gamma_regularizer,
                                           .max_norm = gamma_constraint}
                                      .bounded_as_a_whole());
  }
  if (center && !rms_scaling) {
    bias = build.slot("bias", SlotSpec{.lengths = lengths,
                                       .initializer = beta_initializer,
                                       .penalty = beta_regularizer,
                                       .max_norm = beta_constraint}
                                  .bounded_as_a_whole());
  }
  if (!rms_scaling)
    return {build.graph.add1(ops::LayerNorm{.axes = listed, .epsilon = epsilon}, {x.value, weight, bias})};

  const Value centred = ops::sub(x.value, ops::reduce_mean(x.value, listed, true));
  const Value variance = ops::reduce_mean(ops::square(centred), listed, true);
  const Value y = ops::div(x.value, ops::sqrt(ops::shifted(variance, epsilon)));
  if (!weight) return {y};
  // The weight has the lengths of the axes alone: one of 1 stands for each other axis behind the first of them.
  std::vector<int64_t> others;
  for (size_t at = *axes.begin(); at < x.value.shape().rank(); ++at) {
    if (!axes.contains(at)) others.push_back(static_cast<int64_t>(at - *axes.begin()));
  }
  return {ops::mul(y, others.empty() ? weight : ops::unsqueeze(weight, others))};
}

}  // namespace causeway::nn
