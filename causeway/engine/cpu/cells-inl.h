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

HWY_INLINE V within(D d, V x, float low, float high) {
  const V least = hn::Set(d, low), most = hn::Set(d, high);
  // NaN stays.
  return hn::IfThenElse(hn::Lt(x, least), least, hn::IfThenElse(hn::Gt(x, most), most, x));
}
HWY_INLINE V is_within(D d, V x, float low, float high) {
  return truth(d, hn::And(hn::Gt(x, hn::Set(d, low)), hn::Lt(x, hn::Set(d, high))));
}

// Those of slope_follows_from_value().
HWY_INLINE V value_of(Kind kind, V x) {
  const D d;
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

// Those of is_walked().
HWY_INLINE V value_of(const ops::CellFunction& function, V x) {
  const D d;
  const V alpha = hn::Set(d, function.alpha), beta = hn::Set(d, function.beta), zero = hn::Zero(d);
  switch (function.kind) {
    case Kind::HardSigmoid:
      return within(d, hn::MulAdd(alpha, x, beta), 0, 1);
    case Kind::HardTanh:
      return within(d, x, -1, 1);
    case Kind::Relu6:
      return within(d, x, 0, 6);
    case Kind::LeakyRelu:
      return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(alpha, x), x);
    case Kind::Threshold:
      return hn::IfThenElse(hn::Le(x, alpha), beta, x);
    case Kind::Softsign:
      return hn::Div(x, hn::Add(hn::Set(d, 1.0f), hn::Abs(x)));
    case Kind::Affine:
      return hn::MulAdd(alpha, x, beta);
    case Kind::ScaledTanh:
      return hn::Mul(alpha, quick_tanh(d, hn::Mul(beta, x)));
    default:
      return value_of(function.kind, x);
  }
}

// A function's value, and what is kept of it.
struct Made {
  V value, kept;
};
HWY_INLINE Made made(Kind kind, V x) {
  const V value = value_of(kind, x);
  return {value, value};
}
HWY_INLINE Made made(const ops::CellFunction& function, V x) {
  const V value = value_of(function, x);
  return {value, ops::slope_follows_from_value(function.kind) ? value : x};
}

// The slope where the function has the value y.
HWY_INLINE V slope_at(Kind kind, V y) {
  const D d;
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

// The slope at x; at a corner what PyTorch takes.
HWY_INLINE V slope_of(const ops::CellFunction& function, V x) {
  const D d;
  const V alpha = hn::Set(d, function.alpha), beta = hn::Set(d, function.beta), one = hn::Set(d, 1.0f);
  switch (function.kind) {
    case Kind::HardSigmoid:
      return hn::Mul(alpha, is_within(d, hn::MulAdd(alpha, x, beta), 0, 1));
    case Kind::HardTanh:
      return is_within(d, x, -1, 1);
    case Kind::Relu6:
      return is_within(d, x, 0, 6);
    case Kind::LeakyRelu:
      return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), one, alpha);
    case Kind::Threshold:
      return truth(d, hn::Gt(x, alpha));
    case Kind::Softsign: {
      const V root = hn::Div(one, hn::Add(one, hn::Abs(x)));
      return hn::Mul(root, root);
    }
    case Kind::Affine:
      return alpha;
    case Kind::ScaledTanh: {
      const V y = quick_tanh(d, hn::Mul(beta, x));
      return hn::Mul(hn::Mul(alpha, beta), hn::NegMulAdd(y, y, one));
    }
    default:
      return slope_at(function.kind, value_of(function.kind, x));
  }
}

// A function's value and slope, from what was kept of it.
struct Sloped {
  V value, slope;
};
HWY_INLINE Sloped sloped(Kind kind, V kept) { return {kept, slope_at(kind, kept)}; }
HWY_INLINE Sloped sloped(const ops::CellFunction& function, V kept) {
  if (ops::slope_follows_from_value(function.kind)) return sloped(function.kind, kept);
  return {value_of(function, kept), slope_of(function, kept)};
}
// The same from what the function is given.
HWY_INLINE Sloped sloped_at(Kind kind, V x) {
  const V value = value_of(kind, x);
  return {value, slope_at(kind, value)};
}
HWY_INLINE Sloped sloped_at(const ops::CellFunction& function, V x) {
  return {value_of(function, x), slope_of(function, x)};
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#endif
