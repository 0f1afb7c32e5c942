#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace causeway::pipeline {

/// Which rows of a column hold no value: one bit a row, and no memory while there is none.
class Gaps {
 public:
  bool any() const { return count_ > 0; }
  size_t count() const { return count_; }
  bool at(size_t row) const { return row / 64 < bits_.size() && (bits_[row / 64] >> (row % 64) & 1) != 0; }

  void set(size_t row) {
    if (at(row)) return;
    if (row / 64 >= bits_.size()) bits_.resize(row / 64 + 1, 0);
    bits_[row / 64] |= uint64_t{1} << (row % 64);
    ++count_;
  }
  void clear() { bits_.clear(), count_ = 0; }

  size_t count_before(size_t row) const {
    size_t found = 0;
    for (size_t i = 0; i < bits_.size() && i * 64 < row; ++i) {
      const size_t left = row - i * 64;
      const uint64_t kept = left >= 64 ? bits_[i] : bits_[i] & ((uint64_t{1} << left) - 1);
      found += static_cast<size_t>(__builtin_popcountll(kept));
    }
    return found;
  }

 private:
  std::vector<uint64_t> bits_;
  size_t count_ = 0;
};

}  // namespace causeway::pipeline
