#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace causeway {

/// Philox 4x32-10 (Salmon and others 2011, "Parallel Random Numbers: As Easy as 1, 2, 3"): four words from a counter
/// and a key.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// FNV-1a of 64 bits.
uint64_t fnv1a(std::string_view text);

/// The random numbers of one purpose and step. Every draw has an address, so none waits for another: draw number i is
/// word i mod 4 of block i div 4, under the key `seed XOR fnv1a(purpose)` and the counter (block, attempt, step).
class Draws {
 public:
  Draws(uint64_t seed, std::string_view purpose, uint64_t step) : Draws(seed ^ fnv1a(purpose), step) {}
  Draws(uint64_t key, uint64_t step) : key_(key), step_(step) {}

  uint64_t key() const { return key_; }
  uint64_t step() const { return step_; }

  uint32_t word(uint64_t i, uint32_t attempt = 0) const;
  /// In [0, 1): 24 bits.
  float uniform(uint64_t i) const;
  /// lo + (hi - lo) * u in double, rounded once.
  float uniform(uint64_t i, double lo, double hi) const;
  /// Standard normal by Box and Muller, in double.
  double normal(uint64_t i, uint32_t attempt = 0) const;
  /// Standard normal, redrawn while its size is above `bound`.
  double truncated_normal(uint64_t i, double bound = 2.0) const;
  /// A whole number in [0, n), n at most 2^32, unbiased.
  uint64_t below(uint64_t i, uint64_t n) const;
  /// 0 … n-1 in a random order.
  std::vector<int64_t> permutation(int64_t n) const;

 private:
  uint64_t key_, step_;
};

}  // namespace causeway
