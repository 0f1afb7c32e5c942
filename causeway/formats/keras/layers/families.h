#pragma once

#include "causeway/formats/keras/layer_reader.h"

// Every function that layer_table names, a class each. They read the settings, build the nodes, and give the output.

namespace causeway::formats::keras {

// core.cpp
Value read_dense(LayerReader& layer);
Value read_activation(LayerReader& layer);
Value read_identity(LayerReader& layer);
Value read_only_training(LayerReader& layer);
Value read_dropout(LayerReader& layer);
Value read_spatial_dropout(LayerReader& layer);

// activation.cpp
Value read_relu(LayerReader& layer);
Value read_leaky_relu(LayerReader& layer);
Value read_prelu(LayerReader& layer);
Value read_elu(LayerReader& layer);
Value read_softmax(LayerReader& layer);

// convolution.cpp
Value read_conv_1d(LayerReader& layer);
Value read_conv_2d(LayerReader& layer);
Value read_conv_3d(LayerReader& layer);
Value read_depthwise_conv_1d(LayerReader& layer);
Value read_depthwise_conv_2d(LayerReader& layer);
Value read_separable_conv_1d(LayerReader& layer);
Value read_separable_conv_2d(LayerReader& layer);

// pooling.cpp
Value read_max_pooling_1d(LayerReader& layer);
Value read_max_pooling_2d(LayerReader& layer);
Value read_max_pooling_3d(LayerReader& layer);
Value read_average_pooling_1d(LayerReader& layer);
Value read_average_pooling_2d(LayerReader& layer);
Value read_average_pooling_3d(LayerReader& layer);
Value read_global_max_pooling(LayerReader& layer);
Value read_global_average_pooling(LayerReader& layer);

// normalization.cpp
Value read_batch_normalization(LayerReader& layer);
Value read_layer_normalization(LayerReader& layer);
Value read_group_normalization(LayerReader& layer);
Value read_rms_normalization(LayerReader& layer);
Value read_unit_normalization(LayerReader& layer);
Value read_rescaling(LayerReader& layer);

// merging.cpp
Value read_add(LayerReader& layer);
Value read_subtract(LayerReader& layer);
Value read_multiply(LayerReader& layer);
Value read_average(LayerReader& layer);
Value read_maximum(LayerReader& layer);
Value read_minimum(LayerReader& layer);
Value read_concatenate(LayerReader& layer);

// reshaping.cpp
Value read_flatten(LayerReader& layer);
Value read_reshape(LayerReader& layer);
Value read_permute(LayerReader& layer);
Value read_repeat_vector(LayerReader& layer);
Value read_zero_padding_1d(LayerReader& layer);
Value read_zero_padding_2d(LayerReader& layer);
Value read_zero_padding_3d(LayerReader& layer);
Value read_cropping_1d(LayerReader& layer);
Value read_cropping_2d(LayerReader& layer);
Value read_cropping_3d(LayerReader& layer);
Value read_up_sampling_1d(LayerReader& layer);
Value read_up_sampling_2d(LayerReader& layer);
Value read_up_sampling_3d(LayerReader& layer);

// operators.cpp: written in code, `x * 2 + 1`
Value read_operator_add(LayerReader& layer);
Value read_operator_subtract(LayerReader& layer);
Value read_operator_multiply(LayerReader& layer);
Value read_operator_divide(LayerReader& layer);
Value read_operator_maximum(LayerReader& layer);
Value read_operator_minimum(LayerReader& layer);
Value read_operator_negative(LayerReader& layer);
Value read_operator_absolute(LayerReader& layer);
Value read_operator_square(LayerReader& layer);
Value read_operator_sqrt(LayerReader& layer);
Value read_operator_exp(LayerReader& layer);
Value read_operator_log(LayerReader& layer);
Value read_operator_word(LayerReader& layer);

}  // namespace causeway::formats::keras
