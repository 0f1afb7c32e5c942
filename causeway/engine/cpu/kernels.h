#pragma once

#include "causeway/engine/cpu/kernel.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/ops/op_list.h"

// The kernels that kernel_table.cpp lists, a file each; null for a task it does not fit.

namespace causeway::engine::cpu {

std::unique_ptr<Kernel> fused_mat_mul(const Draft& draft, const Task& task, const FusedMatMul& op);
std::unique_ptr<Kernel> pack_matrix(const Draft& draft, const Task& task, const PackMatrix& op);
std::unique_ptr<Kernel> blocked_conv(const Draft& draft, const Task& task, const BlockedConv& op);
std::unique_ptr<Kernel> blocked_conv_gradient(const Draft& draft, const Task& task, const BlockedConvGradient& op);
std::unique_ptr<Kernel> pack_conv_weight(const Draft& draft, const Task& task, const PackConvWeight& op);
std::unique_ptr<Kernel> to_blocked(const Draft& draft, const Task& task, const ToBlocked& op);
std::unique_ptr<Kernel> from_blocked(const Draft& draft, const Task& task, const FromBlocked& op);
std::unique_ptr<Kernel> norm_scale(const Draft& draft, const Task& task, const NormScale& op);
std::unique_ptr<Kernel> transpose(const Draft& draft, const Task& task, const ops::Transpose& op);
std::unique_ptr<Kernel> tile(const Draft& draft, const Task& task, const ops::Tile& op);
std::unique_ptr<Kernel> slice(const Draft& draft, const Task& task, const ops::Slice& op);
std::unique_ptr<Kernel> slice_gradient(const Draft& draft, const Task& task, const ops::SliceGradient& op);
std::unique_ptr<Kernel> pad(const Draft& draft, const Task& task, const ops::Pad& op);
std::unique_ptr<Kernel> pad_gradient(const Draft& draft, const Task& task, const ops::PadGradient& op);
std::unique_ptr<Kernel> concat(const Draft& draft, const Task& task, const ops::Concat& op);
std::unique_ptr<Kernel> split(const Draft& draft, const Task& task, const ops::Split& op);
std::unique_ptr<Kernel> gather(const Draft& draft, const Task& task, const ops::Gather& op);
std::unique_ptr<Kernel> scatter_add(const Draft& draft, const Task& task, const ops::ScatterAdd& op);
std::unique_ptr<Kernel> random_uniform(const Draft& draft, const Task& task, const ops::RandomUniform& op);
std::unique_ptr<Kernel> max_pool(const Draft& draft, const Task& task, const ops::MaxPool& op);
std::unique_ptr<Kernel> max_pool_gradient(const Draft& draft, const Task& task, const ops::MaxPoolGradient& op);
std::unique_ptr<Kernel> average_pool(const Draft& draft, const Task& task, const ops::AveragePool& op);
std::unique_ptr<Kernel> average_pool_gradient(const Draft& draft, const Task& task, const ops::AveragePoolGradient& op);
std::unique_ptr<Kernel> fused_elementwise(const Draft& draft, const Task& task, const FusedElementwise& op);
std::unique_ptr<Kernel> reduce(const Draft& draft, const Task& task, const ops::Reduce& op);
std::unique_ptr<Kernel> sum_to(const Draft& draft, const Task& task, const ops::SumTo& op);
std::unique_ptr<Kernel> sum_squares(const Draft& draft, const Task& task, const ops::SumSquares& op);
std::unique_ptr<Kernel> softmax(const Draft& draft, const Task& task, const ops::Softmax& op);
std::unique_ptr<Kernel> attention(const Draft& draft, const Task& task, const ops::Attention& op);
std::unique_ptr<Kernel> attention_gradient(const Draft& draft, const Task& task, const ops::AttentionGradient& op);
std::unique_ptr<Kernel> attention_in_place(const Draft& draft, const Task& task, const AttentionInPlace& op);
std::unique_ptr<Kernel> attention_gradient_in_place(const Draft& draft, const Task& task,
                                                    const AttentionGradientInPlace& op);
std::unique_ptr<Kernel> walked_recurrent(const Draft& draft, const Task& task, const WalkedRecurrent& op);
std::unique_ptr<Kernel> walked_back(const Draft& draft, const Task& task, const WalkedBack& op);
std::unique_ptr<Kernel> walked_weight_gradient(const Draft& draft, const Task& task, const WalkedWeightGradient& op);
std::unique_ptr<Kernel> pack_gates(const Draft& draft, const Task& task, const PackGates& op);
std::unique_ptr<Kernel> batch_norm_training(const Draft& draft, const Task& task, const ops::BatchNormTraining& op);
std::unique_ptr<Kernel> batch_norm_gradient(const Draft& draft, const Task& task, const ops::BatchNormGradient& op);
std::unique_ptr<Kernel> layer_norm(const Draft& draft, const Task& task, const ops::LayerNorm& op);
std::unique_ptr<Kernel> row_norms_gradient(const Draft& draft, const Task& task, const RowNormsGradient& op);
std::unique_ptr<Kernel> log_softmax(const Draft& draft, const Task& task, const ops::LogSoftmax& op);

}  // namespace causeway::engine::cpu
