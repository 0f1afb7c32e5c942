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

// A quotient of polynomials in x^2, within some roundings of 1; past the bounds it is 1 but for one. The coefficients
// are those XLA and Eigen use.
HWY_INLINE V quick_tanh(D d, V value) {
  const V most = hn::Set(d, 7.90531110763549805f);
  const V x = hn::Max(hn::Neg(most), hn::Min(value, most));
  const V z = hn::Mul(x, x);
  const V top = polynomial(d, z, -2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f,
                           5.12229709037114e-08f, 1.48572235717979e-05f, 6.37261928875436e-04f, 4.89352455891786e-03f);
  const V bottom =
      polynomial(d, z, 1.19825839466702e-06f, 1.18534705686654e-04f, 2.26843463243900e-03f, 4.89352518554385e-03f);
  return hn::IfThenElse(hn::IsNaN(value), value, hn::Div(hn::Mul(x, top), bottom));
}

HWY_INLINE V value_of(Kind kind, D d, V x) {
  const V half = hn::Set(d, 0.5f);
  switch (kind) {
    case Kind::Tanh:
      return quick_tanh(d, x);
    case Kind::Sigmoid:
      return hn::MulAdd(half, quick_tanh(d, hn::Mul(half, x)), half);
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
