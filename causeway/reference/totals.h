#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "causeway/reference/number.h"

namespace causeway::reference {

/// A total for each element of a tensor of dtype T, taken in double (64 bits for whole numbers) and rounded once. The
/// memory is the thread's, grown where it is too small and used again by the next: one at a time for each type.
template <class T>
class Totals {
 public:
  explicit Totals(int64_t count, Wide<T> start = 0) : count_(count) {
    std::vector<Wide<T>>& all = memory();
    if (all.size() < static_cast<size_t>(count)) all.resize(static_cast<size_t>(count));
    all_ = all.data();
    std::fill_n(all_, count, start);
  }
  Totals(const Totals&) = delete;
  Totals& operator=(const Totals&) = delete;

  Wide<T>& operator[](int64_t i) { return all_[i]; }
  void add(int64_t i, Wide<T> term) { (*this)[i] = sum((*this)[i], term); }
  void store(const TensorView& to) const {
    T* numbers = write<T>(to);
    for (int64_t i = 0; i < count_; ++i) numbers[i] = narrow<T>(all_[i]);
  }

  /// Whole numbers wrap.
  static Wide<T> sum(Wide<T> a, Wide<T> b) {
    if constexpr (Floating<T>) {
      return a + b;
    } else {
      return static_cast<Wide<T>>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    }
  }
  static Wide<T> product(Wide<T> a, Wide<T> b) {
    if constexpr (Floating<T>) {
      return a * b;
    } else {
      return static_cast<Wide<T>>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    }
  }

 private:
  static std::vector<Wide<T>>& memory() {
    thread_local std::vector<Wide<T>> memory;
    return memory;
  }

  int64_t count_;
  Wide<T>* all_;
};

}  // namespace causeway::reference
