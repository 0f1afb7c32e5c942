// Matrix products by tiles of sums that stay in registers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/gemm.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <limits>
#include <utility>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/gemm.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

// A tile is at most kWidest vectors wide, and so high that its sums, a row of b and one number of a fit the registers:
// 32 with AVX-512 and NEON, else 16. What is left below the highest is taken by lower ones.
constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
constexpr size_t kWidest = kManyRegisters ? 4 : 2;

struct TileJob {
  size_t inner = 0;
  /// a(m, k) lies at m * a_row + k * a_step.
  const float* a = nullptr;
  size_t a_row = 0, a_step = 1;
  const float* b = nullptr;
  size_t b_row = 0;
  const float* bias = nullptr;
  const float* added = nullptr;  // to the sums, where it is not null; laid out as y
  float low = 0, high = 0;
  float* y = nullptr;
  size_t y_row = 0;
  /// At most the tile's.
  size_t columns = 0;
};

template <size_t kRows, size_t kWidth>
void tile(const TileJob& job) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  // A sum waits four cycles for the one before it: small tiles take several at a time.
  constexpr size_t kSums = kRows * kWidth >= 8 ? 1 : kRows * kWidth >= 4 ? 2 : 4;
  V sum[kSums][kRows][kWidth];
  for (size_t s = 0; s < kSums; ++s) {
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (size_t w = 0; w < kWidth; ++w) sum[s][r][w] = hn::Zero(d);
    }
  }
  const float* HWY_RESTRICT a = job.a;
  const float* HWY_RESTRICT b = job.b;
  const size_t a_row = job.a_row, a_step = job.a_step, b_row = job.b_row;
  const auto step = [&](size_t s, size_t k) HWY_ATTR {
    V row[kWidth];
#pragma GCC unroll 4
    for (size_t w = 0; w < kWidth; ++w) row[w] = hn::LoadU(d, b + k * b_row + w * lanes);
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      const V number = hn::Set(d, a[r * a_row + k * a_step]);
#pragma GCC unroll 4
      for (size_t w = 0; w < kWidth; ++w) sum[s][r][w] = hn::MulAdd(number, row[w], sum[s][r][w]);
    }
  };
  size_t k = 0;
  for (; k + kSums <= job.inner; k += kSums) {
#pragma GCC unroll 4
    for (size_t s = 0; s < kSums; ++s) step(s, k + s);
  }
  for (; k < job.inner; ++k) step(0, k);
  const V low = hn::Set(d, job.low), high = hn::Set(d, job.high);
#pragma GCC unroll 4
  for (size_t w = 0; w < kWidth; ++w) {
    if (w * lanes >= job.columns) break;
    const size_t left = job.columns - w * lanes;
    V bias = hn::Zero(d);
    if (job.bias) bias = left >= lanes ? hn::LoadU(d, job.bias + w * lanes) : load_some(d, job.bias + w * lanes, left);
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      V total = sum[0][r][w];
#pragma GCC unroll 4
      for (size_t s = 1; s < kSums; ++s) total = hn::Add(total, sum[s][r][w]);
      total = hn::Add(total, bias);
      float* to = job.y + r * job.y_row + w * lanes;
      if (job.added) {
        const float* from = job.added + r * job.y_row + w * lanes;
        total = hn::Add(total, left >= lanes ? hn::LoadU(d, from) : load_some(d, from, left));
      }
      // NaN stays.
      total = hn::IfThenElse(hn::Lt(total, low), low, total);
      total = hn::IfThenElse(hn::Gt(total, high), high, total);
      if (left >= lanes) {
        hn::StoreU(total, d, to);
      } else {
        store_some(total, d, to, left);
      }
    }
  }
}

using Tile = void (*)(const TileJob&);
struct SizedTile {
  size_t rows = 0;
  Tile work = nullptr;
};

// The highest tile of a width that is not higher than `rows`.
template <size_t kWidth, size_t... kRows>
SizedTile highest(size_t rows, std::index_sequence<kRows...>) {
  SizedTile found;
  ((found.work == nullptr && kRows <= rows ? void(found = {kRows, tile<kRows, kWidth>}) : void()), ...);
  return found;
}

SizedTile tile_for(size_t rows, size_t width) {
  using std::index_sequence;
  if constexpr (kManyRegisters) {
    if (width == 4) return highest<4>(rows, index_sequence<6, 4, 2, 1>());
    if (width == 3) return highest<3>(rows, index_sequence<8, 4, 2, 1>());
    if (width == 2) return highest<2>(rows, index_sequence<12, 8, 4, 2, 1>());
    return highest<1>(rows, index_sequence<12, 8, 4, 2, 1>());
  } else {
    if (width == 2) return highest<2>(rows, index_sequence<6, 4, 2, 1>());
    return highest<1>(rows, index_sequence<8, 4, 2, 1>());
  }
}

// How many vectors the panel at a column has.
size_t width_at(size_t column, size_t columns) {
  const size_t lanes = hn::Lanes(D());
  return std::min(kWidest, (columns - column + lanes - 1) / lanes);
}

size_t rounded_columns(size_t columns) {
  const size_t lanes = hn::Lanes(D());
  return (columns + lanes - 1) / lanes * lanes;
}

size_t size_packed(size_t inner, size_t columns) { return inner * rounded_columns(columns); }

void pack_panel(const float* b, size_t b_row, size_t b_column, size_t inner, size_t columns, size_t width, float* to) {
  if (b_column == 1 && columns == width) {
    constexpr size_t kAhead = 8;
    const size_t lanes = hn::Lanes(D());
    for (size_t k = 0; k < inner; ++k, to += width) {
      const float* row = b + k * b_row;
      for (size_t n = 0; n < width; n += lanes) {
        if (k + kAhead < inner) hwy::Prefetch(row + kAhead * b_row + n);
        hn::StoreU(hn::LoadU(D(), row + n), D(), to + n);
      }
    }
    return;
  }
  if (b_column == 1) {
    for (size_t k = 0; k < inner; ++k, to += width) {
      std::memcpy(to, b + k * b_row, columns * sizeof(float));
      std::fill(to + columns, to + width, 0.0f);
    }
    return;
  }
  // A few rows at a time, so that both sides are touched in lines.
  constexpr size_t kRows = 16;
  for (size_t begin = 0; begin < inner; begin += kRows) {
    const size_t end = std::min(inner, begin + kRows);
    for (size_t n = 0; n < columns; ++n) {
      for (size_t k = begin; k < end; ++k) to[k * width + n] = b[k * b_row + n * b_column];
    }
    for (size_t k = begin; k < end; ++k) std::fill(to + k * width + columns, to + (k + 1) * width, 0.0f);
  }
}

void pack_all(const float* b, size_t b_row, size_t b_column, size_t inner, size_t columns, float* to) {
  const size_t lanes = hn::Lanes(D());
  for (size_t n = 0; n < columns;) {
    const size_t width = width_at(n, columns) * lanes;
    pack_panel(b + n * b_column, b_row, b_column, inner, std::min(width, columns - n), width, to);
    to += inner * width;
    n += width;
  }
}

void clear_row(size_t k, size_t inner, size_t columns, float* packed) {
  const size_t lanes = hn::Lanes(D());
  for (size_t n = 0; n < columns;) {
    const size_t width = width_at(n, columns) * lanes;
    std::fill_n(packed + k * width, width, 0.0f);
    packed += inner * width;
    n += width;
  }
}

// How many rows of b are worked at a time: a panel of so many stays in the second cache while all rows of a pass by.
constexpr size_t kInner = 1024;
// From so many rows of a on, a panel is worth copying so that it lies together.
constexpr size_t kRowsToPack = 64;

size_t scratch_of(size_t inner) { return std::min(inner, kInner) * kWidest * hn::Lanes(D()); }

// A panel's rows first … first + job.inner - 1.
void multiply_panel(const Gemm& g, TileJob& job, size_t first, size_t column, size_t vectors) {
  const bool is_first = first == 0, is_last = first + job.inner == g.inner;
  const float* added = g.adds || !is_first ? g.y : g.added;
  job.bias = g.bias && is_first ? g.bias + column : nullptr;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  job.low = is_last ? g.low : -kInfinity;
  job.high = is_last ? g.high : kInfinity;
  for (size_t m = 0; m < g.rows;) {
    const SizedTile tile = tile_for(g.rows - m, vectors);
    job.a = g.a + m * job.a_row + first * job.a_step;
    job.y = g.y + m * g.y_row + column;
    job.added = added ? added + m * g.y_row + column : nullptr;
    tile.work(job);
    // What was just written lies in the first cache.
    for (size_t r = 0; is_last && g.after && r < tile.rows; ++r) {
      float* row = job.y + r * g.y_row;
      g.after(row, row, nullptr, nullptr, g.after_settings, job.columns);
    }
    m += tile.rows;
  }
}

void multiply(const Gemm& g, float* scratch) {
  const size_t lanes = hn::Lanes(D());
  const float* packed = g.b;
  for (size_t n = 0; n < g.columns;) {
    const size_t vectors = width_at(n, g.columns), width = vectors * lanes;
    TileJob job{.y_row = g.y_row, .columns = std::min(width, g.columns - n)};
    job.a_row = g.a_transposed ? 1 : g.a_row;
    job.a_step = g.a_transposed ? g.a_row : 1;
    const bool lies_together = job.columns == width && (g.rows < kRowsToPack || g.b_row == width);
    size_t first = 0;
    do {
      job.inner = std::min(kInner, g.inner - first);
      const float* b = g.b + first * g.b_row + n;
      job.b_row = width;
      if (g.b_packed) {
        job.b = packed + (g.packed_first + first) * width;
      } else if (lies_together) {
        job.b = b;
        job.b_row = g.b_row;
      } else {
        pack_panel(b, g.b_row, 1, job.inner, job.columns, width, scratch);
        job.b = scratch;
      }
      multiply_panel(g, job, first, n, vectors);
      first += job.inner;
    } while (first < g.inner);
    if (g.b_packed) packed += (g.packed_rows > 0 ? g.packed_rows : g.inner) * width;
    n += width;
  }
}

// The lanes of a sum, one after another.
float joined(V sum) {
  const D d;
  HWY_ALIGN float parts[hn::MaxLanes(d)];
  hn::Store(sum, d, parts);
  float total = parts[0];
  for (size_t i = 1; i < hn::Lanes(d); ++i) total += parts[i];
  return total;
}

void dot_each(const Dots& g) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  for (size_t m = 0; m < g.rows; ++m) {
    const float* a = g.a + m * g.inner;
    V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    size_t k = 0;
    for (; k + 4 * lanes <= g.inner; k += 4 * lanes) {
      for (size_t s = 0; s < 4; ++s) {
        sums[s] = hn::MulAdd(hn::LoadU(d, a + k + s * lanes), hn::LoadU(d, g.b + k + s * lanes), sums[s]);
      }
    }
    for (; k + lanes <= g.inner; k += lanes) sums[0] = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, g.b + k), sums[0]);
    if (k < g.inner) {
      sums[1] = hn::MulAdd(load_some(d, a + k, g.inner - k), load_some(d, g.b + k, g.inner - k), sums[1]);
    }
    const V sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
    float total = joined(sum) + g.bias;
    if (total < g.low) total = g.low;
    if (total > g.high) total = g.high;
    g.y[m] = total;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(multiply);
HWY_EXPORT(scratch_of);
HWY_EXPORT(size_packed);
HWY_EXPORT(pack_all);
HWY_EXPORT(clear_row);
HWY_EXPORT(dot_each);

void gemm(const Gemm& product, float* scratch) { HWY_DYNAMIC_DISPATCH(multiply)(product, scratch); }
size_t gemm_scratch(size_t inner) { return HWY_DYNAMIC_DISPATCH(scratch_of)(inner); }
size_t packed_size(size_t inner, size_t columns) { return HWY_DYNAMIC_DISPATCH(size_packed)(inner, columns); }
void pack(const float* b, size_t b_row, size_t b_column, size_t inner, size_t columns, float* to) {
  HWY_DYNAMIC_DISPATCH(pack_all)(b, b_row, b_column, inner, columns, to);
}
void clear_packed_row(size_t k, size_t inner, size_t columns, float* packed) {
  HWY_DYNAMIC_DISPATCH(clear_row)(k, inner, columns, packed);
}
void dots(const Dots& product) { HWY_DYNAMIC_DISPATCH(dot_each)(product); }
}  // namespace causeway::engine::cpu
#endif
