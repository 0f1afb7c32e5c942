#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// A transposed convolution: input place i and tap j add to place i · stride + j · dilation - before; what falls outside
/// is dropped.
///
/// Shapes     of L places, window reach k' = (k - 1) · dilation + 1, stride s and border b, a:
///            "valid" (L - 1) · s + max(k', s); "same" L · s; with a stated border or output_padding q
///            (L - 1) · s + k' - b - a + q.
/// Slots      weight [k…, filters/groups, in], bias [filters].
/// Settings   output_padding: places more at the end, below the larger of stride and dilation; not with "same".
template <size_t kAxes>
struct TransposedConv {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"conv1d_transpose", "conv2d_transpose", "conv3d_transpose"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"});
  int64_t filters = 0;
  PerAxis kernel_size = {}, strides = 1, dilation_rate = 1;
  Padding padding = {};
  std::optional<PerAxis> output_padding = std::nullopt;
  int64_t groups = 1;
  bool use_bias = true;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    each("filters", &TransposedConv::filters, Need::Required);
    each("kernel_size", &TransposedConv::kernel_size, Need::Required);
    each("strides", &TransposedConv::strides);
    each("padding", &TransposedConv::padding);
    each("output_padding", &TransposedConv::output_padding);
    each("dilation_rate", &TransposedConv::dilation_rate);
    each("groups", &TransposedConv::groups);
    each("use_bias", &TransposedConv::use_bias);
    each("kernel_initializer", &TransposedConv::kernel_initializer);
    each("bias_initializer", &TransposedConv::bias_initializer);
    each("kernel_regularizer", &TransposedConv::kernel_regularizer);
    each("bias_regularizer", &TransposedConv::bias_regularizer);
    each("kernel_constraint", &TransposedConv::kernel_constraint);
    each("bias_constraint", &TransposedConv::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};
extern template struct TransposedConv<1>;
extern template struct TransposedConv<2>;
extern template struct TransposedConv<3>;

}  // namespace causeway::nn
