#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// A convolution over one to three place axes, channels last; the window is not flipped.
///
/// Slots      weight [k…, in/groups, filters], bias [filters].
template <size_t kAxes>
struct Conv {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"conv1d", "conv2d", "conv3d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"Conv1D", "Conv2D", "Conv3D"});
  int64_t filters = 0;
  PerAxis kernel_size = {}, strides = 1, dilation_rate = 1;
  Padding padding = {};
  int64_t groups = 1;
  bool use_bias = true;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    each("filters", &Conv::filters, Need::Required);
    each("kernel_size", &Conv::kernel_size, Need::Required);
    each("strides", &Conv::strides);
    each("padding", &Conv::padding);
    each("dilation_rate", &Conv::dilation_rate);
    each("groups", &Conv::groups);
    each("use_bias", &Conv::use_bias);
    each("kernel_initializer", &Conv::kernel_initializer);
    each("bias_initializer", &Conv::bias_initializer);
    each("kernel_regularizer", &Conv::kernel_regularizer);
    each("bias_regularizer", &Conv::bias_regularizer);
    each("kernel_constraint", &Conv::kernel_constraint);
    each("bias_constraint", &Conv::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};
using Conv1D = Conv<1>;
using Conv2D = Conv<2>;
using Conv3D = Conv<3>;
extern template struct Conv<1>;
extern template struct Conv<2>;
extern template struct Conv<3>;

}  // namespace causeway::nn
