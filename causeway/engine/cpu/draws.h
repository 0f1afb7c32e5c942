#pragma once

#include <cstddef>
#include <cstdint>

namespace causeway::engine::cpu {

/// Uniform draws first … first + count - 1 of Draws(key, step), to the bit; `first` is a multiple of 4,
/// and all are below 2^34.
void uniform_draws(uint64_t key, uint64_t step, uint64_t first, size_t count, float* to);

}  // namespace causeway::engine::cpu
