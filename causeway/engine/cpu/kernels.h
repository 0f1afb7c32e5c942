#pragma once

#include "causeway/engine/cpu/kernel.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/ops/op_list.h"

// The kernels that kernel_table.cpp lists, a file each; null for a task it does not fit.

namespace causeway::engine::cpu {

std::unique_ptr<Kernel> fused_mat_mul(const Draft& draft, const Task& task, const FusedMatMul& op);
std::unique_ptr<Kernel> pack_matrix(const Draft& draft, const Task& task, const PackMatrix& op);
std::unique_ptr<Kernel> fused_elementwise(const Draft& draft, const Task& task, const FusedElementwise& op);
std::unique_ptr<Kernel> reduce(const Draft& draft, const Task& task, const ops::Reduce& op);
std::unique_ptr<Kernel> sum_to(const Draft& draft, const Task& task, const ops::SumTo& op);
std::unique_ptr<Kernel> sum_squares(const Draft& draft, const Task& task, const ops::SumSquares& op);
std::unique_ptr<Kernel> softmax(const Draft& draft, const Task& task, const ops::Softmax& op);
std::unique_ptr<Kernel> log_softmax(const Draft& draft, const Task& task, const ops::LogSoftmax& op);

}  // namespace causeway::engine::cpu
