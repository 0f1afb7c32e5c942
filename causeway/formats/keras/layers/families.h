#pragma once

#include "causeway/formats/keras/layer_reader.h"

// Every function that layer_table names, a class each. They read the settings, build the nodes, and give the output.

namespace causeway::formats::keras {

// core.cpp
/// The low-rank pair that a layer was trained beside: merged already, noted; or apart, refused.
void read_low_rank(LayerReader& layer);
Flow read_dense(LayerReader& layer);
Flow read_einsum_dense(LayerReader& layer);
Flow read_activation(LayerReader& layer);
Flow read_identity(LayerReader& layer);
Flow read_only_training(LayerReader& layer);
Flow read_dropout(LayerReader& layer);
Flow read_alpha_dropout(LayerReader& layer);
Flow read_gaussian_dropout(LayerReader& layer);
Flow read_gaussian_noise(LayerReader& layer);
Flow read_spatial_dropout_1d(LayerReader& layer);
Flow read_spatial_dropout_2d(LayerReader& layer);
Flow read_spatial_dropout_3d(LayerReader& layer);

// recurrent.cpp
Flow read_lstm(LayerReader& layer);
Flow read_gru(LayerReader& layer);
Flow read_simple_rnn(LayerReader& layer);
Flow read_rnn(LayerReader& layer);
Flow read_bidirectional(LayerReader& layer);

// embedding.cpp
Flow read_embedding(LayerReader& layer);
Flow read_reversible_embedding(LayerReader& layer);
Flow read_masking(LayerReader& layer);
Flow read_category_encoding(LayerReader& layer);
Flow read_discretization(LayerReader& layer);

// attention.cpp
Flow read_multi_head_attention(LayerReader& layer);
Flow read_group_query_attention(LayerReader& layer);
Flow read_attention(LayerReader& layer);
Flow read_additive_attention(LayerReader& layer);

// activation.cpp
Flow read_relu(LayerReader& layer);
Flow read_leaky_relu(LayerReader& layer);
Flow read_prelu(LayerReader& layer);
Flow read_elu(LayerReader& layer);
Flow read_softmax(LayerReader& layer);

// convolution.cpp
Flow read_conv_1d(LayerReader& layer);
Flow read_conv_2d(LayerReader& layer);
Flow read_conv_3d(LayerReader& layer);
Flow read_depthwise_conv_1d(LayerReader& layer);
Flow read_depthwise_conv_2d(LayerReader& layer);
Flow read_separable_conv_1d(LayerReader& layer);
Flow read_separable_conv_2d(LayerReader& layer);
Flow read_conv_1d_transpose(LayerReader& layer);
Flow read_conv_2d_transpose(LayerReader& layer);
Flow read_conv_3d_transpose(LayerReader& layer);

// pooling.cpp
Flow read_max_pooling_1d(LayerReader& layer);
Flow read_max_pooling_2d(LayerReader& layer);
Flow read_max_pooling_3d(LayerReader& layer);
Flow read_average_pooling_1d(LayerReader& layer);
Flow read_average_pooling_2d(LayerReader& layer);
Flow read_average_pooling_3d(LayerReader& layer);
Flow read_global_max_pooling_1d(LayerReader& layer);
Flow read_global_max_pooling_2d(LayerReader& layer);
Flow read_global_max_pooling_3d(LayerReader& layer);
Flow read_global_average_pooling_1d(LayerReader& layer);
Flow read_global_average_pooling_2d(LayerReader& layer);
Flow read_global_average_pooling_3d(LayerReader& layer);

Flow read_adaptive_max_pooling_1d(LayerReader& layer);
Flow read_adaptive_max_pooling_2d(LayerReader& layer);
Flow read_adaptive_max_pooling_3d(LayerReader& layer);
Flow read_adaptive_average_pooling_1d(LayerReader& layer);
Flow read_adaptive_average_pooling_2d(LayerReader& layer);
Flow read_adaptive_average_pooling_3d(LayerReader& layer);

// normalization.cpp
Flow read_batch_normalization(LayerReader& layer);
Flow read_layer_normalization(LayerReader& layer);
Flow read_group_normalization(LayerReader& layer);
Flow read_rms_normalization(LayerReader& layer);
Flow read_unit_normalization(LayerReader& layer);
Flow read_rescaling(LayerReader& layer);
Flow read_normalization(LayerReader& layer);

// wrapping.cpp
Flow read_time_distributed(LayerReader& layer);

// merging.cpp
Flow read_add(LayerReader& layer);
Flow read_subtract(LayerReader& layer);
Flow read_multiply(LayerReader& layer);
Flow read_average(LayerReader& layer);
Flow read_maximum(LayerReader& layer);
Flow read_minimum(LayerReader& layer);
Flow read_concatenate(LayerReader& layer);
Flow read_dot(LayerReader& layer);

// reshaping.cpp
Flow read_flatten(LayerReader& layer);
Flow read_reshape(LayerReader& layer);
Flow read_permute(LayerReader& layer);
Flow read_repeat_vector(LayerReader& layer);
Flow read_zero_padding_1d(LayerReader& layer);
Flow read_zero_padding_2d(LayerReader& layer);
Flow read_zero_padding_3d(LayerReader& layer);
Flow read_cropping_1d(LayerReader& layer);
Flow read_cropping_2d(LayerReader& layer);
Flow read_cropping_3d(LayerReader& layer);
Flow read_up_sampling_1d(LayerReader& layer);
Flow read_up_sampling_2d(LayerReader& layer);
Flow read_up_sampling_3d(LayerReader& layer);
Flow read_center_crop(LayerReader& layer);
Flow read_resizing(LayerReader& layer);

// operators.cpp: written in code, `x * 2 + 1`
Flow read_operator_add(LayerReader& layer);
Flow read_operator_subtract(LayerReader& layer);
Flow read_operator_multiply(LayerReader& layer);
Flow read_operator_divide(LayerReader& layer);
Flow read_operator_power(LayerReader& layer);
Flow read_operator_maximum(LayerReader& layer);
Flow read_operator_minimum(LayerReader& layer);
Flow read_operator_equal(LayerReader& layer);
Flow read_operator_not_equal(LayerReader& layer);
Flow read_operator_greater(LayerReader& layer);
Flow read_operator_greater_equal(LayerReader& layer);
Flow read_operator_less(LayerReader& layer);
Flow read_operator_less_equal(LayerReader& layer);
Flow read_operator_matmul(LayerReader& layer);
Flow read_operator_logical_and(LayerReader& layer);
Flow read_operator_logical_or(LayerReader& layer);
Flow read_operator_logical_not(LayerReader& layer);
Flow read_operator_where(LayerReader& layer);
Flow read_operator_negative(LayerReader& layer);
Flow read_operator_absolute(LayerReader& layer);
Flow read_operator_square(LayerReader& layer);
Flow read_operator_sqrt(LayerReader& layer);
Flow read_operator_exp(LayerReader& layer);
Flow read_operator_log(LayerReader& layer);
Flow read_operator_clip(LayerReader& layer);
Flow read_operator_cast(LayerReader& layer);
Flow read_operator_zeros_like(LayerReader& layer);
Flow read_operator_ones_like(LayerReader& layer);
Flow read_operator_sum(LayerReader& layer);
Flow read_operator_mean(LayerReader& layer);
Flow read_operator_max(LayerReader& layer);
Flow read_operator_min(LayerReader& layer);
Flow read_operator_any(LayerReader& layer);
Flow read_operator_all(LayerReader& layer);
Flow read_operator_concatenate(LayerReader& layer);
Flow read_operator_stack(LayerReader& layer);
Flow read_operator_reshape(LayerReader& layer);
Flow read_operator_transpose(LayerReader& layer);
Flow read_operator_expand_dims(LayerReader& layer);
Flow read_operator_squeeze(LayerReader& layer);
Flow read_operator_get_item(LayerReader& layer);
Flow read_operator_word(LayerReader& layer);

}  // namespace causeway::formats::keras
