// exp, log and what is made of them, for the instruction set at hand: within 4 ULP where a network's last activation
// may stand on them (sigmoid, tanh, softplus, exp), else within 1.3e-6 relative and 1e-6 absolute.
#if defined(CAUSEWAY_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAUSEWAY_FUNCTIONS_INL
#undef CAUSEWAY_FUNCTIONS_INL
#else
#define CAUSEWAY_FUNCTIONS_INL
#endif

#include <limits>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

// What y is for numbers, and NaN for NaN.
HWY_INLINE V or_nan(V x, V y) { return hn::IfThenElse(hn::IsNaN(x), x, y); }

HWY_INLINE V exp_of(D d, V x) {
  // Past 104 Highway's exponent no longer holds the result, which is infinite from 88.8 on.
  return or_nan(x, hn::Exp(d, hn::Min(x, hn::Set(d, 104.0f))));
}

HWY_INLINE V log_of(D d, V x) {
  const V zero = hn::Zero(d), infinity = hn::Inf(d);
  V y = hn::Log(d, x);
  y = hn::IfThenElse(hn::Eq(x, infinity), x, y);
  y = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinity), y);
  return or_nan(x, hn::IfThenElse(hn::Lt(x, zero), hn::NaN(d), y));
}

// By e^-|x|, which keeps every digit on both sides.
HWY_INLINE V sigmoid_of(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V power = hn::Exp(d, hn::Neg(hn::Abs(x)));
  const V top = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), power, one);
  return or_nan(x, hn::Div(top, hn::Add(one, power)));
}

HWY_INLINE V softplus_of(D d, V x) {
  const V zero = hn::Zero(d);
  const V rest = hn::Log1p(d, hn::Exp(d, hn::Neg(hn::Abs(x))));
  return or_nan(x, hn::Add(hn::IfThenZeroElse(hn::Lt(x, zero), x), rest));
}

HWY_INLINE V tanh_of(D d, V x) { return or_nan(x, hn::Tanh(d, x)); }

// A quotient of polynomials in x^2 on [-4, 4], where erf is 1 but for a rounding; the coefficients are those XLA and
// Eigen use.
HWY_INLINE V erf_of(D d, V value) {
  const V x = hn::Max(hn::Set(d, -4.0f), hn::Min(value, hn::Set(d, 4.0f)));
  const V z = hn::Mul(x, x);
  const V top =
      polynomial(d, z, -2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f, -5.69250639462346e-05f,
                 -7.34990630326855e-04f, -2.95459980854025e-03f, -1.60960333262415e-02f);
  const V bottom = polynomial(d, z, -1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
                              -7.37332916720468e-03f, -1.42647390514189e-02f);
  return or_nan(value, hn::Div(hn::Mul(x, top), bottom));
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#endif
