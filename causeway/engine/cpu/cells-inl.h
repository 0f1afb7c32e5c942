// The functions of recurrent cells for the instruction set at hand.
#if defined(CAUSEWAY_CELLS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAUSEWAY_CELLS_INL
#undef CAUSEWAY_CELLS_INL
#else
#define CAUSEWAY_CELLS_INL
#endif

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/ops/cell_function.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

using Kind = ops::CellFunctionKind;

// size * tanh(step * x) as a quotient of polynomials in x^2, within some roundings; past the bounds tanh is 1 but
// for one. The coefficients are those XLA and Eigen use; `step` is a power of 2, by which they are moved without a
// rounding. NaN stays NaN: of two numbers the lesser and the larger give the second where either is NaN.
HWY_INLINE V quick_tanh(D d, V value, float step = 1, float size = 1) {
  const V most = hn::Set(d, 7.90531110763549805f / step);
  const V x = hn::Max(hn::Neg(most), hn::Min(most, value));
  const V z = hn::Mul(x, x);
  const float s = step * step, s2 = s * s, s4 = s2 * s2, t = size * step;
  const V top = polynomial(d, z, -2.76076847742355e-16f * s4 * s2 * t, 2.00018790482477e-13f * s4 * s * t,
                           -8.60467152213735e-11f * s4 * t, 5.12229709037114e-08f * s2 * s * t,
                           1.48572235717979e-05f * s2 * t, 6.37261928875436e-04f * s * t, 4.89352455891786e-03f * t);
  const V bottom = polynomial(d, z, 1.19825839466702e-06f * s2 * s, 1.18534705686654e-04f * s2,
                              2.26843463243900e-03f * s, 4.89352518554385e-03f);
  return hn::Div(hn::Mul(x, top), bottom);
}

HWY_INLINE V value_of(Kind kind, D d, V x) {
  switch (kind) {
    case Kind::Tanh:
      return quick_tanh(d, x);
    case Kind::Sigmoid:
      return hn::Add(quick_tanh(d, x, 0.5f, 0.5f), hn::Set(d, 0.5f));
    case Kind::Relu:
      return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
    default:
      return x;
  }
}

// The slope where the function has the value y.
HWY_INLINE V slope_at(Kind kind, D d, V y) {
  const V one = hn::Set(d, 1.0f);
  switch (kind) {
    case Kind::Tanh:
      return hn::NegMulAdd(y, y, one);
    case Kind::Sigmoid:
      return hn::NegMulAdd(y, y, y);
    case Kind::Relu:
      return truth(d, hn::Gt(y, hn::Zero(d)));
    default:
      return one;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#endif
