// Softmax along dense rows.
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

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(softmax);
void softmax_rows(const float* from, size_t rows, size_t count, bool logarithm, float* to) {
  HWY_DYNAMIC_DISPATCH(softmax)(from, rows, count, logarithm, to);
}
}  // namespace causeway::engine::cpu
#endif
