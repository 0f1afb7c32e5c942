#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// Normalization of neighbouring channels together with all places, per example: (x - mean) / sqrt(variance + epsilon)
/// * weight + bias. Rows [N, C] too.
///
/// Slots      weight, bias [C].
/// Settings   groups: how many the channels fall into; -1 for one a channel.
/// Source     Wu and He 2018, https://arxiv.org/abs/1803.08494
struct GroupNormalization {
  static constexpr std::string_view kWord = "group_normalization", kKind = "GroupNormalization";
  int64_t groups = 32;
  float epsilon = 1e-3f;
  bool center = true, scale = true;
  Initializer gamma_initializer = {.word = "ones"}, beta_initializer = {};
  Penalty gamma_regularizer = {}, beta_regularizer = {};
  MaxNorm gamma_constraint = {}, beta_constraint = {};

  static void settings(auto&& each) {
    each("groups", &GroupNormalization::groups);
    each("epsilon", &GroupNormalization::epsilon);
    each("center", &GroupNormalization::center);
    each("scale", &GroupNormalization::scale);
    each("gamma_initializer", &GroupNormalization::gamma_initializer);
    each("beta_initializer", &GroupNormalization::beta_initializer);
    each("gamma_regularizer", &GroupNormalization::gamma_regularizer);
    each("beta_regularizer", &GroupNormalization::beta_regularizer);
    each("gamma_constraint", &GroupNormalization::gamma_constraint);
    each("beta_constraint", &GroupNormalization::beta_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Group normalization with a group a channel. A single place is refused in training, as in PyTorch.
///
/// Slots      weight, bias [C].
/// Source     Ulyanov and others 2016, https://arxiv.org/abs/1607.08022
struct InstanceNormalization {
  static constexpr std::string_view kWord = "instance_normalization", kKind = "InstanceNormalization";
  float epsilon = 1e-3f;
  bool center = true, scale = true;
  Initializer gamma_initializer = {.word = "ones"}, beta_initializer = {};
  Penalty gamma_regularizer = {}, beta_regularizer = {};
  MaxNorm gamma_constraint = {}, beta_constraint = {};

  static void settings(auto&& each) {
    each("epsilon", &InstanceNormalization::epsilon);
    each("center", &InstanceNormalization::center);
    each("scale", &InstanceNormalization::scale);
    each("gamma_initializer", &InstanceNormalization::gamma_initializer);
    each("beta_initializer", &InstanceNormalization::beta_initializer);
    each("gamma_regularizer", &InstanceNormalization::gamma_regularizer);
    each("beta_regularizer", &InstanceNormalization::beta_regularizer);
    each("gamma_constraint", &InstanceNormalization::gamma_constraint);
    each("beta_constraint", &InstanceNormalization::beta_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
