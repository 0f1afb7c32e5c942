#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// y = x · weight + bias over the last axis, whatever stands before it.
///
/// Slots      weight [in, units], bias [units]; with lora_rank r also lora_A.weight [in, r], lora_B.weight [r, units].
/// Settings   lora_rank: a low-rank pair learns beside the weight, which is held: y = x · weight + bias + (alpha / r) ·
///            (x · A) · B. lora_alpha: r unless stated. B starts at 0, so the first answer is the weight's own.
/// Source     Hu and others 2021, https://arxiv.org/abs/2106.09685
struct Dense {
  static constexpr std::string_view kWord = "dense", kKind = "Dense";
  int64_t units = 0;
  bool use_bias = true;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};
  std::optional<int64_t> lora_rank = std::nullopt;
  std::optional<float> lora_alpha = std::nullopt;

  static void settings(auto&& each) {
    each("units", &Dense::units, Need::Required);
    each("use_bias", &Dense::use_bias);
    each("kernel_initializer", &Dense::kernel_initializer);
    each("bias_initializer", &Dense::bias_initializer);
    each("kernel_regularizer", &Dense::kernel_regularizer);
    each("bias_regularizer", &Dense::bias_regularizer);
    each("kernel_constraint", &Dense::kernel_constraint);
    each("bias_constraint", &Dense::bias_constraint);
    each("lora_rank", &Dense::lora_rank);
    each("lora_alpha", &Dense::lora_alpha);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
