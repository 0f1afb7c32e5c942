// Loops over elements for the instruction set at hand; included by the files that Highway compiles once for each.
#if defined(CAUSEWAY_ELEMENTWISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAUSEWAY_ELEMENTWISE_INL
#undef CAUSEWAY_ELEMENTWISE_INL
#else
#define CAUSEWAY_ELEMENTWISE_INL
#endif

#include <cmath>
#include <cstddef>
#include <cstring>

#include "causeway/engine/cpu/elementwise.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Whether a masked load touches no memory outside the mask.
constexpr bool kMasks = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3;

// The first `count` elements, zeros behind them; count is below a vector's.
HWY_INLINE V load_some(D d, const float* from, size_t count) {
  if constexpr (kMasks) return hn::MaskedLoad(hn::FirstN(d, count), d, from);
  HWY_ALIGN float buffer[hn::MaxLanes(d)] = {};
  std::memcpy(buffer, from, HWY_MIN(count, hn::MaxLanes(d)) * sizeof(float));
  return hn::Load(d, buffer);
}

HWY_INLINE void store_some(V v, D d, float* to, size_t count) {
  if constexpr (kMasks) return hn::BlendedStore(v, hn::FirstN(d, count), d, to);
  HWY_ALIGN float buffer[hn::MaxLanes(d)];
  hn::Store(v, d, buffer);
  std::memcpy(to, buffer, HWY_MIN(count, hn::MaxLanes(d)) * sizeof(float));
}

// A whole vector, or as much of one as there is.
HWY_INLINE V load_up_to(D d, const float* from, size_t width) {
  return width == hn::Lanes(d) ? hn::LoadU(d, from) : load_some(d, from, width);
}
HWY_INLINE void store_up_to(V v, D d, float* to, size_t width) {
  if (width == hn::Lanes(d)) {
    hn::StoreU(v, d, to);
  } else {
    store_some(v, d, to, width);
  }
}

// 1 where the mask holds.
template <class M>
HWY_INLINE V truth(D d, M mask) {
  return hn::IfThenElseZero(mask, hn::Set(d, 1.0f));
}
HWY_INLINE hn::Mask<D> holds(D d, V truth) { return hn::Ne(truth, hn::Zero(d)); }

// A polynomial in z, its coefficients from the highest power down.
template <class... Coefficients>
HWY_INLINE V polynomial(D d, V z, float highest, Coefficients... others) {
  V y = hn::Set(d, highest);
  ((y = hn::MulAdd(y, z, hn::Set(d, others))), ...);
  return y;
}

template <class F>
void one(float* to, const float* a, const float*, const float*, StepSettings s, size_t count) {
  const D d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) hn::StoreU(F::of(d, s, hn::LoadU(d, a + i)), d, to + i);
  if (i < count) store_some(F::of(d, s, load_some(d, a + i, count - i)), d, to + i, count - i);
}

template <class F>
void two(float* to, const float* a, const float* b, const float*, StepSettings, size_t count) {
  const D d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) hn::StoreU(F::of(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
  if (i == count) return;
  const size_t left = count - i;
  store_some(F::of(d, load_some(d, a + i, left), load_some(d, b + i, left)), d, to + i, left);
}

template <class F>
void three(float* to, const float* a, const float* b, const float* c, StepSettings, size_t count) {
  const D d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    hn::StoreU(F::of(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i)), d, to + i);
  }
  if (i == count) return;
  const size_t left = count - i;
  const V y = F::of(d, load_some(d, a + i, left), load_some(d, b + i, left), load_some(d, c + i, left));
  store_some(y, d, to + i, left);
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#endif
