#include "causeway/nn/layers/group_normalization.h"

#include "causeway/ops/build.h"
#include "causeway/ops/layer_norm.h"

namespace causeway::nn {

namespace {

// A layer normalization of [N, …, G, C/G] over all axes but N and G, and then a factor and a term a channel.
Flow normalized_in_groups(const GroupNormalization& norm, LayerBuild& build, const Flow& x, ops::SingleNumber single) {
  const auto& [groups, epsilon, center, scale, gamma_initializer, beta_initializer, gamma_regularizer, beta_regularizer,
               gamma_constraint, beta_constraint] = norm;
  expect_not_negative(epsilon, "epsilon");
  const int64_t channels = slot_length(x.value, -1);
  const size_t rank = x.value.shape().rank();
  if (rank < 2) unfit("it is handed " + x.value.shape().text() + ", and takes rows of channels, [N, C] or longer.");
  const int64_t count = groups == -1 ? channels : groups;
  if (count < 1 || channels % count != 0) {
    unfit("'groups' is " + std::to_string(groups) + ", which does not divide " + std::to_string(channels) +
          " channels.");
  }
  std::vector<int64_t> apart(rank - 1, 0), together(rank - 1, 0), axes;
  apart.insert(apart.end(), {count, channels / count});
  together.push_back(channels);
  for (size_t axis = 1; axis + 1 < rank; ++axis) axes.push_back(static_cast<int64_t>(axis));
  axes.push_back(static_cast<int64_t>(rank));
  const Value grouped = ops::reshape(x.value, apart);
  const Value normalized =
      build.graph.add1(ops::LayerNorm{.axes = axes, .epsilon = epsilon, .single = single}, {grouped, {}, {}});
  Value y = ops::reshape(normalized, together);
  if (scale) {
    y = ops::mul(y, build.slot("weight", {.lengths = {channels},
                                          .initializer = gamma_initializer,
                                          .penalty = gamma_regularizer,
                                          .max_norm = gamma_constraint}));
  }
  if (center) {
    y = ops::add(y, build.slot("bias", {.lengths = {channels},
                                        .initializer = beta_initializer,
                                        .penalty = beta_regularizer,
                                        .max_norm = beta_constraint}));
  }
  return {y};
}

}  // namespace

Flow GroupNormalization::build(LayerBuild& build, const Flow& x) const {
  return normalized_in_groups(*this, build, x, ops::SingleNumber::Taken);
}

Flow InstanceNormalization::build(LayerBuild& build, const Flow& x) const {
  const GroupNormalization each_channel{.groups = -1,
                                        .epsilon = epsilon,
                                        .center = center,
                                        .scale = scale,
                                        .gamma_initializer = gamma_initializer,
                                        .beta_initializer = beta_initializer,
                                        .gamma_regularizer = gamma_regularizer,
                                        .beta_regularizer = beta_regularizer,
                                        .gamma_constraint = gamma_constraint,
                                        .beta_constraint = beta_constraint};
  return normalized_in_groups(each_channel, build, x, ops::SingleNumber::RefusedInTraining);
}

}  // namespace causeway::nn
