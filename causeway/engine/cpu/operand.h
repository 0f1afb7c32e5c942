#pragma once

#include <span>

#include "causeway/engine/cpu/private_ops.h"

namespace causeway::engine::cpu {

/// How a tensor of lengths `from` is read where it is broadcast to `to`, as NumPy does.
Operand operand_of(DType dtype, std::span<const int64_t> from, std::span<const int64_t> to);

/// Writes what lies at the flat places `start` … `start + count - 1` of an operand.
void spread(const Operand& operand, const float* numbers, int64_t start, int64_t count, float* to);
void spread(const Operand& operand, const uint8_t* numbers, int64_t start, int64_t count, uint8_t* to);

}  // namespace causeway::engine::cpu
