#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace causeway {

/// The product of `lengths`, each at least 0; none where it passes int64 (even when a later length is 0) or a length is
/// negative.
inline std::optional<int64_t> checked_product(std::span<const int64_t> lengths) {
  int64_t product = 1;
  bool empty = false;
  for (const int64_t length : lengths) {
    if (length < 0) return std::nullopt;
    if (length == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, length, &product)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : product;
}

inline std::optional<int64_t> checked_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

inline std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace causeway
