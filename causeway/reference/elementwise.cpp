#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <utility>

#include "causeway/ops/op_list.h"
#include "causeway/reference/kernel_table.h"
#include "causeway/reference/number.h"
#include "causeway/reference/walk.h"

// Ops that make y[i] of the elements that lie at i in each operand, broadcast as in NumPy: a row an op. Floats of every
// width are worked in double and rounded once.

namespace causeway::reference {
namespace {

/// y[i] = f(x0[i], x1[i] …), elements as they are stored.
template <class R, class... Xs, class F, size_t... kOf>
void map_each(const TensorView& y, Views inputs, F f, std::index_sequence<kOf...>) {
  R* to = write<R>(y);
  const int64_t count = y.size();
  if ((std::equal(y.lengths.begin(), y.lengths.end(), inputs[kOf].lengths.begin(), inputs[kOf].lengths.end()) && ...)) {
    for (int64_t i = 0; i < count; ++i) to[i] = f(read<Xs>(inputs[kOf])[i]...);
    return;
  }
  constexpr size_t kOperands = sizeof...(Xs);
  const std::array<PerAxis, kOperands> strides = {broadcast_strides(inputs[kOf].lengths, y.lengths)...};
  for (Walk<kOperands> at(PerAxis(y.lengths), strides); at; ++at) {
    to[at.count()] = f(read<Xs>(inputs[kOf])[at[kOf]]...);
  }
}
template <class R, class... Xs, class F>
void map(const TensorView& y, Views inputs, F f) {
  map_each<R, Xs...>(y, inputs, f, std::index_sequence_for<Xs...>());
}

/// f(op, x…) or f(x…), whichever it takes.
template <class S, class F, class... Xs>
auto applied(F f, const S& op, Xs... xs) {
  if constexpr (std::invocable<F, const S&, Xs...>) {
    return f(op, xs...);
  } else {
    return f(xs...);
  }
}

template <class T, size_t>
using Each = T;

template <class S, class T, class F, size_t... kOf>
void map_wide(const S& op, Views inputs, const TensorView& y, F f, std::index_sequence<kOf...>) {
  const auto narrowed = [&]<class... Ts>(Ts... xs) { return narrow<T>(applied(f, op, wide(xs)...)); };
  map<T, Each<T, kOf>...>(y, inputs, narrowed);
}

/// A row for an op on `kOperands` floats.
template <class S, size_t kOperands = 1, class F>
constexpr KernelRow floats(F) {
  return {S::kName, [](const Op& op, Views inputs, Views outputs) {
            with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
              map_wide<S, T>(*op.as<S>(), inputs, outputs[0], F(), std::make_index_sequence<kOperands>());
            });
          }};
}

/// A row for an op on floats and whole numbers: f takes doubles, int64 or uint64.
template <class S, size_t kOperands, class F>
constexpr KernelRow numbers(F) {
  return {S::kName, [](const Op& op, Views inputs, Views outputs) {
            with_any(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
              map_wide<S, T>(*op.as<S>(), inputs, outputs[0], F(), std::make_index_sequence<kOperands>());
            });
          }};
}

/// A row for a comparison of two operands.
template <class S, class F>
constexpr KernelRow compares(F) {
  return {S::kName, [](const Op&, Views inputs, Views outputs) {
            with_any(inputs[0].dtype, [&]<class T>(std::type_identity<T>) {
              map<bool, T, T>(outputs[0], inputs, [](T a, T b) { return F()(wide(a), wide(b)); });
            });
          }};
}

/// A row for two truths.
template <class S, class F>
constexpr KernelRow truths(F) {
  return {S::kName, [](const Op&, Views inputs, Views outputs) { map<bool, bool, bool>(outputs[0], inputs, F()); }};
}

/// Whole numbers wrap, which only unsigned ones may in C++.
template <class N, class F>
N wrapped(N a, N b, F f) {
  if constexpr (std::integral<N>) {
    return static_cast<N>(f(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return f(a, b);
  }
}

template <class N>
N divided(N a, N b) {
  if constexpr (std::integral<N>) {
    if (b == 0) unfit("it divides by the whole number 0.");
    if (std::signed_integral<N> && b == static_cast<N>(-1)) return wrapped(N(0), a, std::minus<>());
  }
  return a / b;
}

template <class N>
N remainder_of(const ops::Mod& op, N a, N b) {
  N rest;
  if constexpr (std::integral<N>) {
    if (b == 0) unfit("it divides by the whole number 0.");
    if (std::signed_integral<N> && b == static_cast<N>(-1)) return 0;
    rest = a % b;
  } else {
    rest = std::fmod(a, b);
  }
  const bool follows_divisor = op.fmod || rest == 0 || (rest < 0) == (b < 0);
  return follows_divisor ? rest : rest + b;
}

template <class N>
N larger(N a, N b) {
  if constexpr (std::floating_point<N>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
  }
  return a < b ? b : a;
}
template <class N>
N smaller(N a, N b) {
  if constexpr (std::floating_point<N>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
  }
  return b < a ? b : a;
}

template <class N>
N magnitude(N x) {
  if constexpr (std::floating_point<N>) return std::fabs(x);
  return std::signed_integral<N> && x < 0 ? wrapped(N(0), x, std::minus<>()) : x;
}
template <class N>
N sign(N x) {
  if constexpr (std::floating_point<N>) {
    if (std::isnan(x)) return x;
  }
  return x > 0 ? N(1) : x < 0 ? N(0) - N(1) : N(0);
}
/// Where low > high, high.
template <class N>
N clipped(const ops::Clip& op, N x) {
  if (op.low && x < clamped<N>(*op.low)) x = clamped<N>(*op.low);
  if (op.high && x > clamped<N>(*op.high)) x = clamped<N>(*op.high);
  return x;
}

double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double power = std::exp(x);
  return power / (1 + power);
}
double softplus(double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x))); }
/// min(max(x, low), high) that keeps NaN.
double between(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double gelu(const ops::Gelu& op, double x) {
  constexpr double kRootOfHalf = 0.70710678118654752440, kRootOfTwoOverPi = 0.79788456080286535588;
  if (!op.tanh_form) return 0.5 * x * std::erfc(-x * kRootOfHalf);
  return 0.5 * x * (1 + std::tanh(kRootOfTwoOverPi * (x + 0.044715 * x * x * x)));
}

/// base to a whole power, wrapping.
template <class N>
N whole_power(N base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) unfit("it raises the whole number 0 to the power " + std::to_string(exponent) + ".");
    if (base == 1) return 1;
    if (std::signed_integral<N> && base == static_cast<N>(-1)) return exponent % 2 == 0 ? base * base : base;
    return 0;
  }
  N power = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power = wrapped(power, base, std::multiplies<>());
    base = wrapped(base, base, std::multiplies<>());
  }
  return power;
}

/// The exponent may have a dtype of its own; the result has the base's.
void pow(const ops::Pow&, Views inputs, Views outputs) {
  with_number(inputs[0].dtype, [&]<class Base>(std::type_identity<Base>) {
    with_number(inputs[1].dtype, [&]<class Exponent>(std::type_identity<Exponent>) {
      map<Base, Base, Exponent>(outputs[0], inputs, [](Base base, Exponent exponent) {
        if constexpr (Floating<Base>) {
          return narrow<Base>(std::pow(wide(base), static_cast<double>(wide(exponent))));
        } else if constexpr (Floating<Exponent>) {
          return narrow<Base>(clamped<Wide<Base>>(std::pow(static_cast<double>(base), wide(exponent))));
        } else {
          return narrow<Base>(whole_power(wide(base), static_cast<int64_t>(exponent)));
        }
      });
    });
  });
}

void where(const ops::Where&, Views inputs, Views outputs) {
  with_bits(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    map<T, bool, T, T>(outputs[0], inputs, [](bool condition, T a, T b) { return condition ? a : b; });
  });
}

/// Rounded once in the operands' own width, so not worked in double.
void fma(const ops::Fma&, Views inputs, Views outputs) {
  const auto fused = []<class T>(T a, T b, T c) { return std::fma(a, b, c); };
  if (outputs[0].dtype == DType::Float64) {
    map<double, double, double, double>(outputs[0], inputs, fused);
  } else {
    map<float, float, float, float>(outputs[0], inputs, fused);
  }
}

void is_nan(const ops::IsNaN&, Views inputs, Views outputs) {
  with_floating(inputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    map<bool, T>(outputs[0], inputs, [](T x) { return std::isnan(wide(x)); });
  });
}

void logical_not(const ops::Not&, Views inputs, Views outputs) {
  map<bool, bool>(outputs[0], inputs, std::logical_not<>());
}

/// A float that is cut to a whole number is clamped to the ends of its range.
void cast(const ops::Cast&, Views inputs, Views outputs) {
  with_any(inputs[0].dtype, [&]<class From>(std::type_identity<From>) {
    with_any(outputs[0].dtype, [&]<class To>(std::type_identity<To>) {
      map<To, From>(outputs[0], inputs, [](From x) {
        if constexpr (std::same_as<To, bool>) {
          return wide(x) != 0;
        } else if constexpr (Floating<From> && !Floating<To>) {
          return clamped<To>(wide(x));
        } else {
          return narrow<To>(static_cast<Wide<To>>(wide(x)));
        }
      });
    });
  });
}

constexpr KernelRow kRows[] = {
    // Two operands and more.
    numbers<ops::Add, 2>([](auto a, auto b) { return wrapped(a, b, std::plus<>()); }),
    numbers<ops::Sub, 2>([](auto a, auto b) { return wrapped(a, b, std::minus<>()); }),
    numbers<ops::Mul, 2>([](auto a, auto b) { return wrapped(a, b, std::multiplies<>()); }),
    numbers<ops::Div, 2>([](auto a, auto b) { return divided(a, b); }),
    numbers<ops::Mod, 2>([](const ops::Mod& op, auto a, auto b) { return remainder_of(op, a, b); }),
    numbers<ops::Max, 2>([](auto a, auto b) { return larger(a, b); }),
    numbers<ops::Min, 2>([](auto a, auto b) { return smaller(a, b); }),
    row<pow>(),
    row<fma>(),
    row<where>(),
    compares<ops::Equal>([](auto a, auto b) { return a == b; }),
    compares<ops::Less>([](auto a, auto b) { return a < b; }),
    compares<ops::LessOrEqual>([](auto a, auto b) { return a <= b; }),
    compares<ops::Greater>([](auto a, auto b) { return a > b; }),
    compares<ops::GreaterOrEqual>([](auto a, auto b) { return a >= b; }),
    truths<ops::And>([](bool a, bool b) { return a && b; }),
    truths<ops::Or>([](bool a, bool b) { return a || b; }),
    truths<ops::Xor>([](bool a, bool b) { return a != b; }),

    // One operand.
    numbers<ops::Neg, 1>([](auto x) { return wrapped(decltype(x)(0), x, std::minus<>()); }),
    numbers<ops::Abs, 1>([](auto x) { return magnitude(x); }),
    numbers<ops::Sign, 1>([](auto x) { return sign(x); }),
    floats<ops::Reciprocal>([](double x) { return 1 / x; }),
    floats<ops::Sqrt>([](double x) { return std::sqrt(x); }),
    floats<ops::Exp>([](double x) { return std::exp(x); }),
    floats<ops::Log>([](double x) { return std::log(x); }),
    floats<ops::Sin>([](double x) { return std::sin(x); }),
    floats<ops::Cos>([](double x) { return std::cos(x); }),
    floats<ops::Erf>([](double x) { return std::erf(x); }),
    floats<ops::Tanh>([](double x) { return std::tanh(x); }),
    floats<ops::Floor>([](double x) { return std::floor(x); }),
    floats<ops::Ceil>([](double x) { return std::ceil(x); }),
    floats<ops::Round>([](double x) { return std::nearbyint(x); }),  // half to even
    row<is_nan>(),
    row<logical_not>(),
    row<cast>(),

    // Activations.
    numbers<ops::Relu, 1>([](auto x) { return x < 0 ? decltype(x)(0) : x; }),
    numbers<ops::Clip, 1>([](const ops::Clip& op, auto x) { return clipped(op, x); }),
    floats<ops::PRelu, 2>([](double x, double slope) { return x >= 0 ? x : slope * x; }),
    floats<ops::LeakyRelu>([](const ops::LeakyRelu& op, double x) { return x >= 0 ? x : op.slope * x; }),
    floats<ops::Elu>([](const ops::Elu& op, double x) { return x > 0 ? x : op.alpha * std::expm1(x); }),
    floats<ops::Selu>([](const ops::Selu& op, double x) { return op.gamma * (x > 0 ? x : op.alpha * std::expm1(x)); }),
    floats<ops::Celu>([](const ops::Celu& op, double x) { return x > 0 ? x : op.alpha * std::expm1(x / op.alpha); }),
    floats<ops::Sigmoid>([](double x) { return sigmoid(x); }),
    floats<ops::HardSigmoid>([](const ops::HardSigmoid& op, double x) {
      return between(static_cast<double>(op.alpha) * x + op.beta, 0, 1);
    }),
    floats<ops::HardSwish>([](double x) { return x * between(x + 3, 0, 6) / 6; }),
    floats<ops::Swish>([](const ops::Swish& op, double x) { return x * sigmoid(op.alpha * x); }),
    floats<ops::Mish>([](double x) { return x * std::tanh(softplus(x)); }),
    floats<ops::Gelu>([](const ops::Gelu& op, double x) { return gelu(op, x); }),
    floats<ops::Softplus>([](double x) { return softplus(x); }),
    floats<ops::Softsign>([](double x) { return x / (1 + std::fabs(x)); }),
};

}  // namespace

std::span<const KernelRow> elementwise_kernels() { return kRows; }

}  // namespace causeway::reference
