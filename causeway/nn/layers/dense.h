#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// y = x · weight + bias over the last axis, whatever stands before it.
///
/// Slots      weight [in, units], bias [units].
struct Dense {
  static constexpr std::string_view kWord = "dense", kKind = "Dense";
  static constexpr bool kKeepsMask = true;
  int64_t units = 0;
  bool use_bias = true;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    each("units", &Dense::units, Need::Required);
    each("use_bias", &Dense::use_bias);
    each("kernel_initializer", &Dense::kernel_initializer);
    each("bias_initializer", &Dense::bias_initializer);
    each("kernel_regularizer", &Dense::kernel_regularizer);
    each("bias_regularizer", &Dense::bias_regularizer);
    each("kernel_constraint", &Dense::kernel_constraint);
    each("bias_constraint", &Dense::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
