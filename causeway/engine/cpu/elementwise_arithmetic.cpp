// Steps of a few machine operations each: every result is rounded once, or as often as the formula says.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/elementwise_arithmetic.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include "causeway/engine/cpu/elementwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

struct Add {
  static HWY_INLINE V of(D, V a, V b) { return hn::Add(a, b); }
};
struct Sub {
  static HWY_INLINE V of(D, V a, V b) { return hn::Sub(a, b); }
};
struct Mul {
  static HWY_INLINE V of(D, V a, V b) { return hn::Mul(a, b); }
};
struct Div {
  static HWY_INLINE V of(D, V a, V b) { return hn::Div(a, b); }
};
// NaN where either is.
struct Max {
  static HWY_INLINE V of(D, V a, V b) {
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Lt(a, b), b, hn::IfThenElse(hn::IsNaN(b), b, a)));
  }
};
struct Min {
  static HWY_INLINE V of(D, V a, V b) {
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Lt(b, a), b, hn::IfThenElse(hn::IsNaN(b), b, a)));
  }
};
struct PRelu {
  static HWY_INLINE V of(D d, V x, V slope) { return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(slope, x), x); }
};
struct Where {
  static HWY_INLINE V of(D d, V condition, V a, V b) { return hn::IfThenElse(holds(d, condition), a, b); }
};
struct Equal {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Eq(a, b)); }
};
struct Less {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Lt(a, b)); }
};
struct LessOrEqual {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Le(a, b)); }
};
struct Greater {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Gt(a, b)); }
};
struct GreaterOrEqual {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Ge(a, b)); }
};
struct And {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::And(holds(d, a), holds(d, b))); }
};
struct Or {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Or(holds(d, a), holds(d, b))); }
};
struct Xor {
  static HWY_INLINE V of(D d, V a, V b) { return truth(d, hn::Ne(a, b)); }
};

struct Copy {
  static HWY_INLINE V of(D, StepSettings, V x) { return x; }
};
struct Neg {
  static HWY_INLINE V of(D, StepSettings, V x) { return hn::Neg(x); }
};
struct Abs {
  static HWY_INLINE V of(D, StepSettings, V x) { return hn::Abs(x); }
};
struct Reciprocal {
  static HWY_INLINE V of(D d, StepSettings, V x) { return hn::Div(hn::Set(d, 1.0f), x); }
};
struct Sqrt {
  static HWY_INLINE V of(D, StepSettings, V x) { return hn::Sqrt(x); }
};
struct Sign {
  static HWY_INLINE V of(D d, StepSettings, V x) {
    const V zero = hn::Zero(d);
    const V sign = hn::Sub(truth(d, hn::Gt(x, zero)), truth(d, hn::Lt(x, zero)));
    return hn::IfThenElse(hn::IsNaN(x), x, sign);
  }
};
struct Floor {
  static HWY_INLINE V of(D, StepSettings, V x) { return hn::Floor(x); }
};
struct Ceil {
  static HWY_INLINE V of(D, StepSettings, V x) { return hn::Ceil(x); }
};
struct Round {
  static HWY_INLINE V of(D, StepSettings, V x) { return hn::Round(x); }
};  // half to even
struct Not {
  static HWY_INLINE V of(D d, StepSettings, V x) { return truth(d, hn::Eq(x, hn::Zero(d))); }
};
struct IsNaN {
  static HWY_INLINE V of(D d, StepSettings, V x) { return truth(d, hn::IsNaN(x)); }
};
struct Relu {
  static HWY_INLINE V of(D d, StepSettings, V x) { return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x); }
};
struct Clip {
  static HWY_INLINE V of(D d, StepSettings s, V x) {
    const V low = hn::Set(d, s.first), high = hn::Set(d, s.second);
    const V raised = hn::IfThenElse(hn::Lt(x, low), low, x);
    return hn::IfThenElse(hn::Gt(raised, high), high, raised);
  }
};
struct LeakyRelu {
  static HWY_INLINE V of(D d, StepSettings s, V x) { return PRelu::of(d, x, hn::Set(d, s.first)); }
};
HWY_INLINE V between(D d, V x, float low, float high) { return Clip::of(d, {low, high}, x); }
struct HardSigmoid {
  static HWY_INLINE V of(D d, StepSettings s, V x) {
    return between(d, hn::MulAdd(x, hn::Set(d, s.first), hn::Set(d, s.second)), 0, 1);
  }
};
// x times a share from 0 to 1, so that no number above 3 grows past what float32 holds.
struct HardSwish {
  static HWY_INLINE V of(D d, StepSettings, V x) {
    return hn::Mul(x, hn::Div(between(d, hn::Add(x, hn::Set(d, 3.0f)), 0, 6), hn::Set(d, 6.0f)));
  }
};
struct Softsign {
  static HWY_INLINE V of(D d, StepSettings, V x) { return hn::Div(x, hn::Add(hn::Set(d, 1.0f), hn::Abs(x))); }
};

// Rounded once also where the machine has no such operation.
#if HWY_NATIVE_FMA
struct FusedSum {
  static HWY_INLINE V of(D, V a, V b, V c) { return hn::MulAdd(a, b, c); }
};
constexpr Elementwise kFma = three<FusedSum>;
#else
void fma_each(float* to, const float* a, const float* b, const float* c, StepSettings, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = std::fma(a[i], b[i], c[i]);
}
constexpr Elementwise kFma = fma_each;
#endif

Elementwise arithmetic(Code code) {
  switch (code) {
    case Code::Add:
      return two<Add>;
    case Code::Sub:
      return two<Sub>;
    case Code::Mul:
      return two<Mul>;
    case Code::Div:
      return two<Div>;
    case Code::Max:
      return two<Max>;
    case Code::Min:
      return two<Min>;
    case Code::PRelu:
      return two<PRelu>;
    case Code::Fma:
      return kFma;
    case Code::Where:
      return three<Where>;
    case Code::Equal:
      return two<Equal>;
    case Code::Less:
      return two<Less>;
    case Code::LessOrEqual:
      return two<LessOrEqual>;
    case Code::Greater:
      return two<Greater>;
    case Code::GreaterOrEqual:
      return two<GreaterOrEqual>;
    case Code::And:
      return two<And>;
    case Code::Or:
      return two<Or>;
    case Code::Xor:
      return two<Xor>;
    case Code::Copy:
      return one<Copy>;
    case Code::Neg:
      return one<Neg>;
    case Code::Abs:
      return one<Abs>;
    case Code::Reciprocal:
      return one<Reciprocal>;
    case Code::Sqrt:
      return one<Sqrt>;
    case Code::Sign:
      return one<Sign>;
    case Code::Floor:
      return one<Floor>;
    case Code::Ceil:
      return one<Ceil>;
    case Code::Round:
      return one<Round>;
    case Code::Not:
      return one<Not>;
    case Code::IsNaN:
      return one<IsNaN>;
    case Code::Relu:
      return one<Relu>;
    case Code::Clip:
      return one<Clip>;
    case Code::LeakyRelu:
      return one<LeakyRelu>;
    case Code::HardSigmoid:
      return one<HardSigmoid>;
    case Code::HardSwish:
      return one<HardSwish>;
    case Code::Softsign:
      return one<Softsign>;
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
HWY_EXPORT(arithmetic);
Elementwise arithmetic_step(Code code) { return HWY_DYNAMIC_DISPATCH(arithmetic)(code); }
}  // namespace causeway::engine::cpu
#endif
