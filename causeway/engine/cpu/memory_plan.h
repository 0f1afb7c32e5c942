#pragma once

#include <cstddef>
#include <vector>

namespace causeway::engine::cpu {

/// A value's stay in the arena: from the task that makes it to the last that reads it, both counted in.
struct Stay {
  size_t bytes = 0, from = 0, to = 0;
  /// Where it lies: filled by laid_out().
  size_t offset = 0;
};

/// Gives every stay an offset, a multiple of 64, such that no two overlap in both time and place. Gives the bytes taken
/// in all; SIZE_MAX where they cannot be counted.
size_t laid_out(std::vector<Stay>& stays);

}  // namespace causeway::engine::cpu
