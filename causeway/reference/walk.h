#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "causeway/tensor/tensor.h"

namespace causeway::reference {

/// Ranks past this are refused: positions are kept without allocating.
inline constexpr size_t kMaxRank = 32;

/// A short list of whole numbers, one an axis: lengths or strides, in elements.
class PerAxis {
 public:
  PerAxis() = default;
  explicit PerAxis(std::span<const int64_t> numbers);
  explicit PerAxis(size_t rank, int64_t number = 0);

  size_t rank() const { return rank_; }
  int64_t& operator[](size_t axis) { return numbers_[axis]; }
  int64_t operator[](size_t axis) const { return numbers_[axis]; }
  /// unfit() past kMaxRank.
  void push(int64_t number);
  int64_t product() const;

 private:
  size_t rank_ = 0;
  std::array<int64_t, kMaxRank> numbers_ = {};
};

/// Strides of a dense row-major tensor.
PerAxis strides_of(std::span<const int64_t> lengths);
/// Strides by which a tensor is read along the axes of `to`, to which it broadcasts as in NumPy: 0 where it has 1.
PerAxis broadcast_strides(std::span<const int64_t> lengths, std::span<const int64_t> to);

/// Walks all positions of some lengths in row-major order, and keeps for each of K operands the offset of the element
/// that lies there:
///
///   for (Walk<2> at(lengths, {a_strides, b_strides}); at; ++at) y[at.count()] = a[at[0]] + b[at[1]];
template <size_t K>
class Walk {
 public:
  Walk(const PerAxis& lengths, const std::array<PerAxis, K>& strides, const std::array<int64_t, K>& start = {})
      : lengths_(lengths), strides_(strides), offsets_(start), left_(lengths.product()) {}

  explicit operator bool() const { return left_ > 0; }
  int64_t operator[](size_t operand) const { return offsets_[operand]; }
  /// Positions passed so far: the offset in a dense tensor of those lengths.
  int64_t count() const { return count_; }
  int64_t at(size_t axis) const { return position_[axis]; }

  Walk& operator++() {
    --left_;
    ++count_;
    for (size_t axis = lengths_.rank(); axis-- > 0;) {
      if (++position_[axis] < lengths_[axis]) {
        for (size_t k = 0; k < K; ++k) offsets_[k] += strides_[k][axis];
        return *this;
      }
      position_[axis] = 0;
      for (size_t k = 0; k < K; ++k) offsets_[k] -= strides_[k][axis] * (lengths_[axis] - 1);
    }
    return *this;
  }

 private:
  PerAxis lengths_;
  std::array<PerAxis, K> strides_;
  std::array<int64_t, K> offsets_;
  std::array<int64_t, kMaxRank> position_ = {};
  int64_t left_, count_ = 0;
};

}  // namespace causeway::reference
