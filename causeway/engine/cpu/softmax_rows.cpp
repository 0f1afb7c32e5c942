// Softmax along dense rows, and down columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/softmax_rows.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include "causeway/engine/cpu/functions-inl.h"
#include "causeway/engine/cpu/softmax_rows.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

// Of the numbers behind the last, which count for nothing.
HWY_INLINE V load_or(D d, const float* from, size_t count, size_t lanes, float other) {
  if (count >= lanes) return hn::LoadU(d, from);
  return hn::IfThenElse(hn::FirstN(d, count), load_some(d, from, count), hn::Set(d, other));
}

// Divided by the sum, so that a row adds up to 1; a NaN or an infinity makes its row NaN.
void softmax(const float* from, size_t rows, size_t count, bool logarithm, float* to) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const float lowest = -std::numeric_limits<float>::infinity();
  for (size_t row = 0; row < rows; ++row, from += count, to += count) {
    V most = hn::Set(d, lowest);
    for (size_t i = 0; i < count; i += lanes) most = hn::Max(most, load_or(d, from + i, count - i, lanes, lowest));
    const V largest = hn::MaxOfLanes(d, most);
    V sum = hn::Zero(d);
    for (size_t i = 0; i < count; i += lanes) {
      const V power = exp_of(d, hn::Sub(load_or(d, from + i, count - i, lanes, lowest), largest));
      sum = hn::Add(sum, power);
      if (logarithm) continue;
      if (count - i >= lanes) {
        hn::StoreU(power, d, to + i);
      } else {
        store_some(power, d, to + i, count - i);
      }
    }
    const V total = hn::SumOfLanes(d, sum);
    const V shift = log_of(d, total);
    for (size_t i = 0; i < count; i += lanes) {
      const float* at = logarithm ? from + i : to + i;
      const V x = load_or(d, at, count - i, lanes, 0);
      const V y = logarithm ? hn::Sub(hn::Sub(x, largest), shift) : hn::Div(x, total);
      if (count - i >= lanes) {
        hn::StoreU(y, d, to + i);
      } else {
        store_some(y, d, to + i, count - i);
      }
    }
  }
}

// As softmax(), a vector of columns at a time.
void softmax_across(const float* from, size_t count, size_t step, size_t columns, bool logarithm, float* to) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  for (size_t column = 0; column < columns; column += lanes) {
    const size_t width = HWY_MIN(lanes, columns - column);
    const float* x = from + column;
    float* y = to + column;
    V largest = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (size_t i = 0; i < count; ++i) largest = hn::Max(largest, load_up_to(d, x + i * step, width));
    V total = hn::Zero(d);
    for (size_t i = 0; i < count; ++i) {
      const V power = exp_of(d, hn::Sub(load_up_to(d, x + i * step, width), largest));
      total = hn::Add(total, power);
      if (!logarithm) store_up_to(power, d, y + i * step, width);
    }
    const V shift = log_of(d, total);
    for (size_t i = 0; i < count; ++i) {
      const V number = load_up_to(d, (logarithm ? x : y) + i * step, width);
      const V share = logarithm ? hn::Sub(hn::Sub(number, largest), shift) : hn::Div(number, total);
      store_up_to(share, d, y + i * step, width);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(softmax);
HWY_EXPORT(softmax_across);
void softmax_rows(const float* from, size_t rows, size_t count, bool logarithm, float* to) {
  HWY_DYNAMIC_DISPATCH(softmax)(from, rows, count, logarithm, to);
}
void softmax_columns(const float* from, size_t count, size_t step, size_t width, bool logarithm, float* to) {
  HWY_DYNAMIC_DISPATCH(softmax_across)(from, count, step, width, logarithm, to);
}
}  // namespace causeway::engine::cpu
#endif
