// Totals along rows and columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/totals.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <limits>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/totals.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Sum {
  static constexpr float kStart = 0;
  static HWY_INLINE V of(V a, V b) { return hn::Add(a, b); }
  static float of(float a, float b) { return a + b; }
};
struct Largest {
  static constexpr float kStart = -kInfinity;
  static HWY_INLINE V of(V a, V b) { return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Ge(a, b), a, b)); }
  static float of(float a, float b) { return a >= b || a != a ? a : b; }
};
struct Smallest {
  static constexpr float kStart = kInfinity;
  static HWY_INLINE V of(V a, V b) { return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Le(a, b), a, b)); }
  static float of(float a, float b) { return a <= b || a != a ? a : b; }
};

// Long sums are taken in pieces, which keeps their error near that of a tree of sums.
constexpr size_t kPiece = 4096;

template <class T>
float total_of(const float* from, size_t count) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  if (count < lanes) {
    float total = T::kStart;
    for (size_t i = 0; i < count; ++i) total = T::of(total, from[i]);
    return total;
  }
  const V start = hn::Set(d, T::kStart);
  V totals[4] = {start, start, start, start};
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    for (size_t s = 0; s < 4; ++s) totals[s] = T::of(totals[s], hn::LoadU(d, from + i + s * lanes));
  }
  for (; i + lanes <= count; i += lanes) totals[0] = T::of(totals[0], hn::LoadU(d, from + i));
  HWY_ALIGN float each[hn::MaxLanes(d)];
  hn::Store(T::of(T::of(totals[0], totals[1]), T::of(totals[2], totals[3])), d, each);
  for (size_t half = lanes / 2; half > 0; half /= 2) {
    for (size_t j = 0; j < half; ++j) each[j] = T::of(each[j], each[j + half]);
  }
  for (; i < count; ++i) each[0] = T::of(each[0], from[i]);
  return each[0];
}

template <class T>
void rows_of(const float* from, size_t rows, size_t count, float* to) {
  for (size_t row = 0; row < rows; ++row, from += count) {
    float total = count <= kPiece ? total_of<T>(from, count) : T::kStart;
    if (count > kPiece) {
      for (size_t i = 0; i < count; i += kPiece)
        total = T::of(total, total_of<T>(from + i, std::min(kPiece, count - i)));
    }
    to[row] = total;
  }
}

template <class T>
void columns_of(const float* from, size_t rows, size_t columns, float* to) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kRows = 256;
  const auto total_at = [&](size_t column, size_t width) HWY_ATTR {
    V total = hn::Set(d, T::kStart);
    for (size_t begin = 0; begin < rows; begin += kRows) {
      const size_t end = std::min(rows, begin + kRows);
      V piece = hn::Set(d, T::kStart), other = piece;
      size_t row = begin;
      const auto number = [&](size_t at) HWY_ATTR {
        const float* x = from + at * columns + column;
        return width == lanes ? hn::LoadU(d, x) : load_some(d, x, width);
      };
      for (; row + 2 <= end; row += 2) {
        piece = T::of(piece, number(row));
        other = T::of(other, number(row + 1));
      }
      if (row < end) piece = T::of(piece, number(row));
      total = T::of(total, T::of(piece, other));
    }
    return total;
  };
  size_t column = 0;
  for (; column + lanes <= columns; column += lanes) hn::StoreU(total_at(column, lanes), d, to + column);
  if (column < columns) store_some(total_at(column, columns - column), d, to + column, columns - column);
}

void totals_of_rows(Total total, const float* from, size_t rows, size_t count, float* to) {
  switch (total) {
    case Total::Sum:
      return rows_of<Sum>(from, rows, count, to);
    case Total::Max:
      return rows_of<Largest>(from, rows, count, to);
    case Total::Min:
      return rows_of<Smallest>(from, rows, count, to);
  }
}

void totals_of_columns(Total total, const float* from, size_t rows, size_t columns, float* to) {
  switch (total) {
    case Total::Sum:
      return columns_of<Sum>(from, rows, columns, to);
    case Total::Max:
      return columns_of<Largest>(from, rows, columns, to);
    case Total::Min:
      return columns_of<Smallest>(from, rows, columns, to);
  }
}

// A product of two floats is exact in double.
double squares(const float* from, size_t count) {
#if HWY_HAVE_FLOAT64
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, hn::ScalableTag<double>> narrow;
  const size_t lanes = hn::Lanes(wide);
  auto first = hn::Zero(wide), second = first;
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto a = hn::PromoteTo(wide, hn::LoadU(narrow, from + i));
    const auto b = hn::PromoteTo(wide, hn::LoadU(narrow, from + i + lanes));
    first = hn::MulAdd(a, a, first);
    second = hn::MulAdd(b, b, second);
  }
  double sum = hn::GetLane(hn::SumOfLanes(wide, hn::Add(first, second)));
#else
  double sum = 0;
  size_t i = 0;
#endif
  for (; i < count; ++i) sum += static_cast<double>(from[i]) * static_cast<double>(from[i]);
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(totals_of_rows);
HWY_EXPORT(totals_of_columns);
HWY_EXPORT(squares);

void row_totals(Total total, const float* from, size_t rows, size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(totals_of_rows)(total, from, rows, count, to);
}
void column_totals(Total total, const float* from, size_t rows, size_t columns, float* to) {
  HWY_DYNAMIC_DISPATCH(totals_of_columns)(total, from, rows, columns, to);
}
double sum_of_squares(const float* from, size_t count) { return HWY_DYNAMIC_DISPATCH(squares)(from, count); }
}  // namespace causeway::engine::cpu
#endif
