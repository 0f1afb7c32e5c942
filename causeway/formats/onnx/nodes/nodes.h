#pragma once

// The functions of node_table.h, a file a family of ops.

#include "causeway/formats/onnx/node_reader.h"
#include "causeway/formats/onnx/node_writer.h"

namespace causeway::formats::onnx {

/// An op without settings that is ONNX's own, from that set on.
template <int64_t kOwn>
void write_as_is(NodeWriter& node) {
  node.require(kOwn, node.node().op.name());
  node.give(node.add(node.node().op.name(), node.inputs()));
}

/// Its set where input i is of a dtype that older ones do not take.
void expect_dtype(NodeWriter& node, size_t i, bool needs, int64_t opset);

/// An op of numbers that takes 8-bit ones from opset 14 on.
void write_arithmetic(NodeWriter& node);

// arithmetic.cpp
Values read_add(NodeReader& node);
Values read_sub(NodeReader& node);
Values read_mul(NodeReader& node);
Values read_div(NodeReader& node);
Values read_pow(NodeReader& node);
Values read_and(NodeReader& node);
Values read_or(NodeReader& node);
Values read_xor(NodeReader& node);
Values read_equal(NodeReader& node);
Values read_greater(NodeReader& node);
Values read_less(NodeReader& node);
Values read_greater_or_equal(NodeReader& node);
Values read_less_or_equal(NodeReader& node);
Values read_mod(NodeReader& node);
Values read_max(NodeReader& node);
Values read_min(NodeReader& node);
Values read_sum(NodeReader& node);
Values read_mean(NodeReader& node);
Values read_where(NodeReader& node);
Values read_is_inf(NodeReader& node);
void write_equal(NodeWriter& node);
void write_order(NodeWriter& node);
void write_order_or_equal(NodeWriter& node);
void write_largest(NodeWriter& node);
void write_pow(NodeWriter& node);
void write_mod(NodeWriter& node);
void write_fma(NodeWriter& node);

// attention.cpp
Values read_attention(NodeReader& node);
Values read_rotary_embedding(NodeReader& node);

// control.cpp
Values read_if(NodeReader& node);
Values read_loop(NodeReader& node);
Values read_scan(NodeReader& node);

// einsum.cpp
Values read_einsum(NodeReader& node);

// elementwise.cpp
Values read_abs(NodeReader& node);
Values read_neg(NodeReader& node);
Values read_reciprocal(NodeReader& node);
Values read_sqrt(NodeReader& node);
Values read_exp(NodeReader& node);
Values read_log(NodeReader& node);
Values read_sin(NodeReader& node);
Values read_cos(NodeReader& node);
Values read_erf(NodeReader& node);
Values read_floor(NodeReader& node);
Values read_ceil(NodeReader& node);
Values read_round(NodeReader& node);
Values read_sign(NodeReader& node);
Values read_not(NodeReader& node);
Values read_is_nan(NodeReader& node);
Values read_tanh(NodeReader& node);
Values read_sigmoid(NodeReader& node);
Values read_relu(NodeReader& node);
Values read_softplus(NodeReader& node);
Values read_softsign(NodeReader& node);
Values read_mish(NodeReader& node);
Values read_hard_swish(NodeReader& node);
Values read_identity(NodeReader& node);
Values read_leaky_relu(NodeReader& node);
Values read_elu(NodeReader& node);
Values read_celu(NodeReader& node);
Values read_selu(NodeReader& node);
Values read_hard_sigmoid(NodeReader& node);
Values read_swish(NodeReader& node);
Values read_gelu(NodeReader& node);
Values read_p_relu(NodeReader& node);
Values read_thresholded_relu(NodeReader& node);
Values read_shrink(NodeReader& node);
Values read_clip(NodeReader& node);
Values read_softmax(NodeReader& node);
Values read_log_softmax(NodeReader& node);
Values read_dropout(NodeReader& node);
Values read_cast(NodeReader& node);
Values read_cast_like(NodeReader& node);
Values read_tan(NodeReader& node);
void write_nothing(NodeWriter& node);
void write_leaky_relu(NodeWriter& node);
void write_elu(NodeWriter& node);
void write_selu(NodeWriter& node);
void write_hard_sigmoid(NodeWriter& node);
void write_celu(NodeWriter& node);
void write_swish(NodeWriter& node);
void write_hard_swish(NodeWriter& node);
void write_mish(NodeWriter& node);
void write_gelu(NodeWriter& node);
void write_clip(NodeWriter& node);
void write_relu(NodeWriter& node);
void write_soft(NodeWriter& node);
void write_cast(NodeWriter& node);
void write_row_numbers(NodeWriter& node);
void write_step_counts(NodeWriter& node);

// normalizations.cpp
Values read_batch_normalization(NodeReader& node);
Values read_instance_normalization(NodeReader& node);
Values read_group_normalization(NodeReader& node);
Values read_layer_normalization(NodeReader& node);
Values read_rms_normalization(NodeReader& node);
Values read_lp_normalization(NodeReader& node);
Values read_mean_variance_normalization(NodeReader& node);
void write_batch_normalization(NodeWriter& node);
void write_layer_normalization(NodeWriter& node);

// padding.cpp
Values read_pad(NodeReader& node);
void write_pad(NodeWriter& node);

// placing.cpp
Values read_gather(NodeReader& node);
Values read_arg_max(NodeReader& node);
Values read_arg_min(NodeReader& node);
Values read_gather_elements(NodeReader& node);
Values read_gather_nd(NodeReader& node);
Values read_scatter_elements(NodeReader& node);
Values read_scatter(NodeReader& node);
Values read_scatter_nd(NodeReader& node);
Values read_top_k(NodeReader& node);
Values read_one_hot(NodeReader& node);
Values read_cum_sum(NodeReader& node);
Values read_hardmax(NodeReader& node);
void write_gather(NodeWriter& node);
void write_arg_max(NodeWriter& node);
void write_put(NodeWriter& node);
void write_top_k(NodeWriter& node);

// products.cpp
Values read_mat_mul(NodeReader& node);
Values read_gemm(NodeReader& node);
void write_mat_mul(NodeWriter& node);
void write_attention(NodeWriter& node);

// recurrent.cpp
Values read_rnn(NodeReader& node);
Values read_gru(NodeReader& node);
Values read_lstm(NodeReader& node);
void write_recurrent_layer(NodeWriter& node);

// resizing.cpp
Values read_resize(NodeReader& node);
Values read_upsample(NodeReader& node);

// shapes.cpp
Values read_shape(NodeReader& node);
Values read_size(NodeReader& node);
Values read_constant_of_shape(NodeReader& node);
Values read_range(NodeReader& node);
Values read_eye_like(NodeReader& node);
void write_shape(NodeWriter& node);
void write_constant_of_shape(NodeWriter& node);

// shaping.cpp
Values read_reshape(NodeReader& node);
Values read_flatten(NodeReader& node);
Values read_squeeze(NodeReader& node);
Values read_unsqueeze(NodeReader& node);
Values read_transpose(NodeReader& node);
Values read_concat(NodeReader& node);
Values read_tile(NodeReader& node);
Values read_expand(NodeReader& node);
Values read_split(NodeReader& node);
Values read_slice(NodeReader& node);
Values read_depth_to_space(NodeReader& node);
Values read_space_to_depth(NodeReader& node);
Values read_trilu(NodeReader& node);
void write_reshape(NodeWriter& node);
void write_flatten(NodeWriter& node);
void write_squeeze(NodeWriter& node);
void write_unsqueeze(NodeWriter& node);
void write_transpose(NodeWriter& node);
void write_concat(NodeWriter& node);
void write_split(NodeWriter& node);
void write_slice(NodeWriter& node);

// totals.cpp
Values read_reduce_sum(NodeReader& node);
Values read_reduce_mean(NodeReader& node);
Values read_reduce_max(NodeReader& node);
Values read_reduce_min(NodeReader& node);
Values read_reduce_prod(NodeReader& node);
Values read_reduce_l1(NodeReader& node);
Values read_reduce_l2(NodeReader& node);
Values read_reduce_sum_square(NodeReader& node);
Values read_reduce_log_sum(NodeReader& node);
Values read_reduce_log_sum_exp(NodeReader& node);
void write_reduce(NodeWriter& node);

// windows.cpp
Values read_conv(NodeReader& node);
Values read_max_pool(NodeReader& node);
Values read_average_pool(NodeReader& node);
Values read_global_average_pool(NodeReader& node);
Values read_global_max_pool(NodeReader& node);
Values read_conv_transpose(NodeReader& node);
Values read_lrn(NodeReader& node);
void write_conv(NodeWriter& node);
void write_max_pool(NodeWriter& node);
void write_average_pool(NodeWriter& node);
void write_conv_input_gradient(NodeWriter& node);

}  // namespace causeway::formats::onnx
