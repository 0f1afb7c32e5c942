#pragma once

#include "causeway/ops/op_list.h"
#include "causeway/reference/reference.h"

// The kernels that kernel_table.cpp lists, a file an op (or a family that differs in a formula); what works element by
// element is in elementwise.cpp.

namespace causeway::reference {

void mat_mul(const ops::MatMul&, Views inputs, Views outputs);

void reduce(const ops::Reduce&, Views inputs, Views outputs);
void sum_to(const ops::SumTo&, Views inputs, Views outputs);
void sum_squares(const ops::SumSquares&, Views inputs, Views outputs);
void arg_max(const ops::ArgMax&, Views inputs, Views outputs);
void top_k(const ops::TopK&, Views inputs, Views outputs);
void softmax(const ops::Softmax&, Views inputs, Views outputs);
void log_softmax(const ops::LogSoftmax&, Views inputs, Views outputs);
void sparsemax(const ops::Sparsemax&, Views inputs, Views outputs);

void attention(const ops::Attention&, Views inputs, Views outputs);
void attention_gradient(const ops::AttentionGradient&, Views inputs, Views outputs);

void conv(const ops::Conv&, Views inputs, Views outputs);
void conv_input_gradient(const ops::ConvInputGradient&, Views inputs, Views outputs);
void conv_weight_gradient(const ops::ConvWeightGradient&, Views inputs, Views outputs);
void max_pool(const ops::MaxPool&, Views inputs, Views outputs);
void max_pool_gradient(const ops::MaxPoolGradient&, Views inputs, Views outputs);
void average_pool(const ops::AveragePool&, Views inputs, Views outputs);
void average_pool_gradient(const ops::AveragePoolGradient&, Views inputs, Views outputs);

void batch_norm(const ops::BatchNorm&, Views inputs, Views outputs);
void batch_norm_training(const ops::BatchNormTraining&, Views inputs, Views outputs);
void batch_norm_gradient(const ops::BatchNormGradient&, Views inputs, Views outputs);
void layer_norm(const ops::LayerNorm&, Views inputs, Views outputs);
void layer_norm_gradient(const ops::LayerNormGradient&, Views inputs, Views outputs);

void recurrent(const ops::Recurrent&, Views inputs, Views outputs);
void recurrent_gradient(const ops::RecurrentGradient&, Views inputs, Views outputs);

void concat(const ops::Concat&, Views inputs, Views outputs);
void split(const ops::Split&, Views inputs, Views outputs);
void slice(const ops::Slice&, Views inputs, Views outputs);
void slice_gradient(const ops::SliceGradient&, Views inputs, Views outputs);
void pad(const ops::Pad&, Views inputs, Views outputs);
void pad_gradient(const ops::PadGradient&, Views inputs, Views outputs);
void row_numbers(const ops::RowNumbers&, Views inputs, Views outputs);
void step_counts(const ops::StepCounts&, Views inputs, Views outputs);
void gather(const ops::Gather&, Views inputs, Views outputs);
void put(const ops::Put&, Views inputs, Views outputs);
void scatter_add(const ops::ScatterAdd&, Views inputs, Views outputs);
void transpose(const ops::Transpose&, Views inputs, Views outputs);
void expand(const ops::Expand&, Views inputs, Views outputs);
void tile(const ops::Tile&, Views inputs, Views outputs);

/// The same elements in the same order: Reshape and its like, and what answers as the identity.
void copy_elements(Views inputs, Views outputs);
void shape_of(const ops::ShapeOf&, Views inputs, Views outputs);
void range(const ops::Range&, Views inputs, Views outputs);
void constant_of_shape(const ops::ConstantOfShape&, Views inputs, Views outputs);
void random_normal(const ops::RandomNormal&, Views inputs, Views outputs);
void random_uniform(const ops::RandomUniform&, Views inputs, Views outputs);

}  // namespace causeway::reference
