#include "causeway/engine/cpu/memory_plan.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace causeway::engine::cpu {
namespace {

constexpr size_t kLine = 64;

size_t rounded(size_t bytes) { return bytes == 0 ? kLine : (bytes + kLine - 1) / kLine * kLine; }

}  // namespace

// The largest first, each in the lowest gap that is free for as long as it stays.
size_t laid_out(std::vector<Stay>& stays) {
  std::vector<size_t> order(stays.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return stays[a].bytes > stays[b].bytes; });
  std::vector<size_t> placed;  // by offset
  size_t total = 0;
  for (const size_t i : order) {
    Stay& stay = stays[i];
    if (stay.bytes > SIZE_MAX / 2 - kLine) return SIZE_MAX;
    size_t offset = 0;
    for (const size_t j : placed) {
      const Stay& other = stays[j];
      if (other.to < stay.from || stay.to < other.from) continue;
      if (offset + rounded(stay.bytes) <= other.offset) break;
      offset = std::max(offset, other.offset + rounded(other.bytes));
    }
    if (offset > SIZE_MAX / 2 - rounded(stay.bytes)) return SIZE_MAX;
    stay.offset = offset;
    total = std::max(total, offset + rounded(stay.bytes));
    placed.insert(std::upper_bound(placed.begin(), placed.end(), offset,
                                   [&](size_t at, size_t other) { return at < stays[other].offset; }),
                  i);
  }
  return total;
}

}  // namespace causeway::engine::cpu
