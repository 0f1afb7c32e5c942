// Steps made of exp, log and their like.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/elementwise_functions.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include "causeway/engine/cpu/functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

struct Exp {
  static HWY_INLINE V of(D d, StepSettings, V x) { return exp_of(d, x); }
};
struct Log {
  static HWY_INLINE V of(D d, StepSettings, V x) { return log_of(d, x); }
};
struct Erf {
  static HWY_INLINE V of(D d, StepSettings, V x) { return erf_of(d, x); }
};
struct Tanh {
  static HWY_INLINE V of(D d, StepSettings, V x) { return tanh_of(d, x); }
};
struct Sigmoid {
  static HWY_INLINE V of(D d, StepSettings, V x) { return sigmoid_of(d, x); }
};
struct Softplus {
  static HWY_INLINE V of(D d, StepSettings, V x) { return softplus_of(d, x); }
};

// x above 0; below, gamma * alpha * (e^x - 1): Elu, and Selu behind one product more.
struct Elu {
  static HWY_INLINE V of(D d, StepSettings s, V x) {
    const V zero = hn::Zero(d);
    const V below = hn::Mul(hn::Set(d, s.first), hn::Expm1(d, hn::Min(x, zero)));
    return or_nan(x, hn::Mul(hn::Set(d, s.second), hn::IfThenElse(hn::Gt(x, zero), x, below)));
  }
};
struct Celu {
  static HWY_INLINE V of(D d, StepSettings s, V x) {
    const V zero = hn::Zero(d), alpha = hn::Set(d, s.first);
    // Divided so that a negative alpha, too, is worked below 0 alone.
    const V ratio = hn::Div(hn::IfThenElse(hn::Gt(x, zero), zero, x), alpha);
    const V below = hn::Mul(alpha, hn::Expm1(d, hn::Min(ratio, hn::Set(d, 104.0f))));
    return or_nan(x, hn::IfThenElse(hn::Gt(x, zero), x, below));
  }
};
// Half of x times a share from 0 to 2, which is nought below -10 for certain: NaN at minus infinity, as PyTorch has it.
HWY_INLINE V half_of(D d, V x, V share) {
  const V certain = hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -10.0f)), share);
  return or_nan(x, hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), certain));
}
struct Gelu {
  static HWY_INLINE V of(D d, StepSettings, V x) {
    return half_of(d, x, hn::Add(hn::Set(d, 1.0f), erf_of(d, hn::Mul(x, hn::Set(d, 0.70710678f)))));
  }
};
struct GeluTanh {
  static HWY_INLINE V of(D d, StepSettings, V x) {
    const V cube = hn::Mul(hn::Mul(x, x), x);
    const V inner = hn::Mul(hn::Set(d, 0.79788456f), hn::MulAdd(hn::Set(d, 0.044715f), cube, x));
    return half_of(d, x, hn::Add(hn::Set(d, 1.0f), tanh_of(d, inner)));
  }
};
struct Swish {
  static HWY_INLINE V of(D d, StepSettings s, V x) {
    return hn::Mul(x, sigmoid_of(d, hn::Mul(hn::Set(d, s.first), x)));
  }
};
// tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2); from 20 on it is 1.
struct Mish {
  static HWY_INLINE V of(D d, StepSettings, V x) {
    const V power = hn::Exp(d, hn::Min(x, hn::Set(d, 20.0f)));
    const V two = hn::Set(d, 2.0f), top = hn::Mul(power, hn::Add(power, two));
    return or_nan(x, hn::Mul(x, hn::Div(top, hn::Add(top, two))));
  }
};

// What Highway has for part of the numbers alone is asked of the C library, number by number.
template <float (*kFunction)(float)>
void by_library(float* to, const float* a, const float*, const float*, StepSettings, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = kFunction(a[i]);
}
void pow_each(float* to, const float* a, const float* b, const float*, StepSettings, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = b[i] == 2.0f ? a[i] * a[i] : std::pow(a[i], b[i]);
}

Elementwise function(Code code) {
  switch (code) {
    case Code::Exp:
      return one<Exp>;
    case Code::Log:
      return one<Log>;
    case Code::Erf:
      return one<Erf>;
    case Code::Tanh:
      return one<Tanh>;
    case Code::Sigmoid:
      return one<Sigmoid>;
    case Code::Softplus:
      return one<Softplus>;
    case Code::Elu:
      return one<Elu>;
    case Code::Celu:
      return one<Celu>;
    case Code::Gelu:
      return one<Gelu>;
    case Code::GeluTanh:
      return one<GeluTanh>;
    case Code::Swish:
      return one<Swish>;
    case Code::Mish:
      return one<Mish>;
    case Code::Sin:
      return by_library<std::sin>;
    case Code::Cos:
      return by_library<std::cos>;
    case Code::Pow:
      return pow_each;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "causeway/engine/cpu/elementwise_rows.h"
namespace causeway::engine::cpu {
HWY_EXPORT(function);
Elementwise function_step(Code code) { return HWY_DYNAMIC_DISPATCH(function)(code); }
}  // namespace causeway::engine::cpu
#endif
