#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// A convolution of each channel by itself: output channel c·m + i reads channel c alone.
///
/// Slots      weight [k…, 1, in·m], bias [in·m].
/// Settings   depth_multiplier: m.
template <size_t kAxes>
struct DepthwiseConv {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"depthwise_conv1d", "depthwise_conv2d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"DepthwiseConv1D", "DepthwiseConv2D"});
  PerAxis kernel_size = {}, strides = 1, dilation_rate = 1;
  Padding padding = {};
  int64_t depth_multiplier = 1;
  bool use_bias = true;
  Initializer depthwise_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty depthwise_regularizer = {}, bias_regularizer = {};
  MaxNorm depthwise_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    each("kernel_size", &DepthwiseConv::kernel_size, Need::Required);
    each("strides", &DepthwiseConv::strides);
    each("padding", &DepthwiseConv::padding);
    each("dilation_rate", &DepthwiseConv::dilation_rate);
    each("depth_multiplier", &DepthwiseConv::depth_multiplier);
    each("use_bias", &DepthwiseConv::use_bias);
    each("depthwise_initializer", &DepthwiseConv::depthwise_initializer);
    each("bias_initializer", &DepthwiseConv::bias_initializer);
    each("depthwise_regularizer", &DepthwiseConv::depthwise_regularizer);
    each("bias_regularizer", &DepthwiseConv::bias_regularizer);
    each("depthwise_constraint", &DepthwiseConv::depthwise_constraint);
    each("bias_constraint", &DepthwiseConv::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};
extern template struct DepthwiseConv<1>;
extern template struct DepthwiseConv<2>;

/// A depthwise convolution without a bias, and then one of a single place that carries the bias.
///
/// Slots      depthwise.weight [k…, 1, in·m], pointwise.weight [1…, in·m, filters], pointwise.bias [filters].
template <size_t kAxes>
struct SeparableConv {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"separable_conv1d", "separable_conv2d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"SeparableConv1D", "SeparableConv2D"});
  int64_t filters = 0;
  PerAxis kernel_size = {}, strides = 1, dilation_rate = 1;
  Padding padding = {};
  int64_t depth_multiplier = 1;
  bool use_bias = true;
  Initializer depthwise_initializer = {.word = "glorot_uniform"}, pointwise_initializer = {.word = "glorot_uniform"};
  Initializer bias_initializer = {};
  Penalty depthwise_regularizer = {}, pointwise_regularizer = {}, bias_regularizer = {};
  MaxNorm depthwise_constraint = {}, pointwise_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    each("filters", &SeparableConv::filters, Need::Required);
    each("kernel_size", &SeparableConv::kernel_size, Need::Required);
    each("strides", &SeparableConv::strides);
    each("padding", &SeparableConv::padding);
    each("dilation_rate", &SeparableConv::dilation_rate);
    each("depth_multiplier", &SeparableConv::depth_multiplier);
    each("use_bias", &SeparableConv::use_bias);
    each("depthwise_initializer", &SeparableConv::depthwise_initializer);
    each("pointwise_initializer", &SeparableConv::pointwise_initializer);
    each("bias_initializer", &SeparableConv::bias_initializer);
    each("depthwise_regularizer", &SeparableConv::depthwise_regularizer);
    each("pointwise_regularizer", &SeparableConv::pointwise_regularizer);
    each("bias_regularizer", &SeparableConv::bias_regularizer);
    each("depthwise_constraint", &SeparableConv::depthwise_constraint);
    each("pointwise_constraint", &SeparableConv::pointwise_constraint);
    each("bias_constraint", &SeparableConv::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};
extern template struct SeparableConv<1>;
extern template struct SeparableConv<2>;

}  // namespace causeway::nn
