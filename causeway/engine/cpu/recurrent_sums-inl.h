// The product of a recurrent layer's state with its weight, units by units, for the instruction set at hand.
#if defined(CAUSEWAY_RECURRENT_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAUSEWAY_RECURRENT_SUMS_INL
#undef CAUSEWAY_RECURRENT_SUMS_INL
#else
#define CAUSEWAY_RECURRENT_SUMS_INL
#endif

#include <utility>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/recurrent_steps.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
constexpr size_t kMostGates = 4, kHighest = 12;

size_t padded(size_t hidden) {
  const size_t lanes = hn::Lanes(D());
  return (hidden + lanes - 1) / lanes * lanes;
}

// What one step of some rows reads and writes of some units; the states have `padded` numbers a row.
struct Units {
  const StepsWalk& walk;
  /// Which units, how many, and the step's place in the series.
  size_t first = 0, width = 0, place = 0, row_size = 0;
  /// What is multiplied, how many numbers of it (none where all are noughts), by which panel of the weight, and added
  /// to which part of the bias.
  const float* factor = nullptr;
  size_t inner = 0;
  const float* panel = nullptr;
  const float* bias = nullptr;
  const float* before = nullptr;
  float* after = nullptr;
  float* c = nullptr;
  /// Of a gru that resets before the product: r times the state, and z.
  float* reset = nullptr;
  float* stay = nullptr;
};

// Sums of rows begin … begin + kRows - 1: to[row][gate] = bias + factor·weight, a vector each.
template <size_t kGates, size_t kRows>
void sums_of(const Units& units, size_t begin, float* to) {
  const D d;
  const size_t lanes = hn::Lanes(d), hidden = units.walk.hidden, row_size = units.row_size;
  // A sum waits four cycles for the one before it: small tiles take several at a time.
  constexpr size_t kSums = kRows * kGates >= 8 ? 1 : kRows * kGates >= 4 ? 2 : 4;
  V sum[kSums][kRows][kGates];
  for (size_t g = 0; g < kGates; ++g) {
    const float* bias = units.bias;
    V start = hn::Zero(d);
    if (bias) {
      const float* from = bias + g * hidden + units.first;
      start = units.width == lanes ? hn::LoadU(d, from) : load_some(d, from, units.width);
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      sum[0][r][g] = start;
      for (size_t s = 1; s < kSums; ++s) sum[s][r][g] = hn::Zero(d);
    }
  }
  const float* HWY_RESTRICT state = units.factor + begin * row_size;
  const float* HWY_RESTRICT panel = units.panel;
  const auto step = [&](size_t s, size_t k) HWY_ATTR {
    V row[kGates];
#pragma GCC unroll 4
    for (size_t g = 0; g < kGates; ++g) row[g] = hn::Load(d, panel + (k * kGates + g) * lanes);
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      const V number = hn::Set(d, state[r * row_size + k]);
#pragma GCC unroll 4
      for (size_t g = 0; g < kGates; ++g) sum[s][r][g] = hn::MulAdd(number, row[g], sum[s][r][g]);
    }
  };
  size_t k = 0;
  for (; k + kSums <= units.inner; k += kSums) {
#pragma GCC unroll 4
    for (size_t s = 0; s < kSums; ++s) step(s, k + s);
  }
  for (; k < units.inner; ++k) step(0, k);
#pragma GCC unroll 16
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t g = 0; g < kGates; ++g) {
      V total = sum[0][r][g];
#pragma GCC unroll 4
      for (size_t s = 1; s < kSums; ++s) total = hn::Add(total, sum[s][r][g]);
      hn::Store(total, d, to + (r * kGates + g) * lanes);
    }
  }
}

using SumsOf = void (*)(const Units&, size_t, float*);
struct SizedSums {
  size_t rows = 0;
  SumsOf work = nullptr;
};
template <size_t kGates, size_t... kRows>
SizedSums highest(size_t rows, std::index_sequence<kRows...>) {
  SizedSums found;
  ((found.work == nullptr && kRows <= rows ? void(found = {kRows, sums_of<kGates, kRows>}) : void()), ...);
  return found;
}
// The highest tile of not more than `rows`, whose sums, a row of the weight and one number fit the registers.
template <size_t kGates>
SizedSums sums_for(size_t rows) {
  using std::index_sequence;
  if constexpr (kManyRegisters) {
    if constexpr (kGates == 4) return highest<4>(rows, index_sequence<6, 4, 2, 1>());
    if constexpr (kGates == 3) return highest<3>(rows, index_sequence<8, 4, 2, 1>());
    return highest<kGates>(rows, index_sequence<12, 8, 4, 2, 1>());
  } else {
    if constexpr (kGates == 4) return highest<4>(rows, index_sequence<2, 1>());
    if constexpr (kGates == 3 || kGates == 2) return highest<kGates>(rows, index_sequence<4, 2, 1>());
    return highest<kGates>(rows, index_sequence<8, 4, 2, 1>());
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#endif
