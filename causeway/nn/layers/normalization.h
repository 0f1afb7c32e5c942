#pragma once

#include "causeway/nn/layer.h"
#include "causeway/ops/batch_norm.h"

namespace causeway::nn {

/// Batch normalization, channel by channel: by the batch in training, by running statistics when answering.
///
/// Slots      weight, bias, running_mean, running_var [C]; the last two are measured.
/// Settings   momentum: the share of the old statistics that is kept (PyTorch's is 1 less it).
struct BatchNormalization {
  static constexpr std::string_view kWord = "batch_normalization", kKind = "BatchNormalization";
  int64_t axis = -1;
  float momentum = 0.99f, epsilon = 1e-3f;
  bool center = true, scale = true;
  std::string running_variance = "unbiased";
  Initializer gamma_initializer = {.word = "ones"}, beta_initializer = {};
  Penalty gamma_regularizer = {}, beta_regularizer = {};
  MaxNorm gamma_constraint = {}, beta_constraint = {};

  static void settings(auto&& each) {
    each("axis", &BatchNormalization::axis);
    each("momentum", &BatchNormalization::momentum);
    each("epsilon", &BatchNormalization::epsilon);
    each("center", &BatchNormalization::center);
    each("scale", &BatchNormalization::scale);
    each("running_variance", &BatchNormalization::running_variance);
    each("gamma_initializer", &BatchNormalization::gamma_initializer);
    each("beta_initializer", &BatchNormalization::beta_initializer);
    each("gamma_regularizer", &BatchNormalization::gamma_regularizer);
    each("beta_regularizer", &BatchNormalization::beta_regularizer);
    each("gamma_constraint", &BatchNormalization::gamma_constraint);
    each("beta_constraint", &BatchNormalization::beta_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Layer normalization over the trailing axes of each row.
///
/// Slots      weight, bias [those axes].
/// Settings   rms_scaling: x / sqrt(variance + epsilon) * weight, not centred, without a bias.
struct LayerNormalization {
  static constexpr std::string_view kWord = "layer_normalization", kKind = "LayerNormalization";
  std::vector<int64_t> axis = {-1};
  float epsilon = 1e-3f;
  bool center = true, scale = true, rms_scaling = false;
  Initializer gamma_initializer = {.word = "ones"}, beta_initializer = {};
  Penalty gamma_regularizer = {}, beta_regularizer = {};
  MaxNorm gamma_constraint = {}, beta_constraint = {};

  static void settings(auto&& each) {
    each("axis", &LayerNormalization::axis);
    each("epsilon", &LayerNormalization::epsilon);
    each("center", &LayerNormalization::center);
    each("scale", &LayerNormalization::scale);
    each("rms_scaling", &LayerNormalization::rms_scaling);
    each("gamma_initializer", &LayerNormalization::gamma_initializer);
    each("beta_initializer", &LayerNormalization::beta_initializer);
    each("gamma_regularizer", &LayerNormalization::gamma_regularizer);
    each("beta_regularizer", &LayerNormalization::beta_regularizer);
    each("gamma_constraint", &LayerNormalization::gamma_constraint);
    each("beta_constraint", &LayerNormalization::beta_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
