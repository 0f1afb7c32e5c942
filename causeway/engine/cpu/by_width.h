#pragma once

#include <cstddef>
#include <cstdint>

namespace causeway::engine::cpu {

/// Calls `work` with a number of so many bytes (1, 2, 4 or 8): kernels that move numbers and compute none tell them
/// apart by their width alone.
template <class Work>
void by_width(size_t bytes, const Work& work) {
  if (bytes == 1) return work(uint8_t{});
  if (bytes == 2) return work(uint16_t{});
  if (bytes == 4) return work(uint32_t{});
  work(uint64_t{});
}

}  // namespace causeway::engine::cpu
