#include "causeway/base/philox.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>

#include "causeway/base/check.h"

namespace causeway {
namespace {

constexpr uint64_t kTwoTo32 = uint64_t{1} << 32;

std::array<uint32_t, 4> block_of(uint64_t key, uint64_t step, uint64_t block, uint32_t attempt) {
  return philox4x32(
      {static_cast<uint32_t>(block), attempt, static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32)},
      {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
}

/// Below n from a word, or nothing where the word lies in the part that would favour small numbers.
bool falls_below(uint32_t word, uint64_t n, uint64_t& number) {
  const uint64_t product = word * n;
  number = product >> 32;
  // The remainder costs a division, and is wanted only where the low half is below n at all.
  const uint64_t low = product & (kTwoTo32 - 1);
  return low >= n || low >= (kTwoTo32 - n) % n;
}

}  // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kKeyStep0 = 0x9E3779B9, kKeyStep1 = 0xBB67AE85;
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0];
    const uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += kKeyStep0;
    key[1] += kKeyStep1;
  }
  return counter;
}

uint64_t fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3;
  }
  return hash;
}

uint32_t Draws::word(uint64_t i, uint32_t attempt) const {
  CAUSEWAY_CHECK(i / 4 < kTwoTo32, "a purpose has at most 2^34 draws a step");
  return block_of(key_, step_, i / 4, attempt)[i % 4];
}

float Draws::uniform(uint64_t i) const { return static_cast<float>(word(i) >> 8) * 0x1p-24f; }

float Draws::uniform(uint64_t i, double lo, double hi) const {
  return static_cast<float>(lo + (hi - lo) * (static_cast<double>(word(i) >> 8) * 0x1p-24));
}

double Draws::normal(uint64_t i, uint32_t attempt) const {
  CAUSEWAY_CHECK(i / 4 < kTwoTo32, "a purpose has at most 2^34 draws a step");
  const std::array<uint32_t, 4> words = block_of(key_, step_, i / 4, attempt);
  const size_t pair = i % 4 & ~size_t{1};
  const double u1 = (static_cast<double>(words[pair]) + 1) * 0x1p-32;  // in (0, 1]: its logarithm is finite
  const double u2 = static_cast<double>(words[pair + 1]) * 0x1p-32;
  const double radius = std::sqrt(-2 * std::log(u1));
  const double angle = 2 * std::numbers::pi * u2;
  return radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

double Draws::truncated_normal(uint64_t i, double bound) const {
  CAUSEWAY_CHECK(bound >= 0.01, "a bound that some draw meets");
  for (uint32_t attempt = 0;; ++attempt) {
    const double drawn = normal(i, attempt);
    if (std::abs(drawn) <= bound) return drawn;
  }
}

uint64_t Draws::below(uint64_t i, uint64_t n) const {
  CAUSEWAY_CHECK(n >= 1 && n <= kTwoTo32, "a draw is below 1 to 2^32");
  uint64_t number = 0;
  for (uint32_t attempt = 0; !falls_below(word(i, attempt), n, number); ++attempt) {
  }
  return number;
}

std::vector<int64_t> Draws::permutation(int64_t n) const {
  CAUSEWAY_CHECK(n >= 0 && static_cast<uint64_t>(n) <= kTwoTo32, "a permutation has at most 2^32 places");
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::array<uint32_t, 4> words{};
  for (uint64_t draw = 0; draw + 1 < order.size(); ++draw) {
    if (draw % 4 == 0) words = block_of(key_, step_, draw / 4, 0);  // one block serves four draws
    const size_t i = order.size() - 1 - draw;
    uint64_t j = 0;
    if (!falls_below(words[draw % 4], i + 1, j)) j = below(draw, i + 1);
    std::swap(order[i], order[j]);
  }
  return order;
}

}  // namespace causeway
