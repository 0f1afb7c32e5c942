#include "causeway/reference/cell_function.h"

#include <cmath>

namespace causeway::reference {
namespace {

constexpr double kSeluScale = 1.0507009873554805, kSeluAlpha = 1.6732632423543772;
constexpr double kRootOfHalf = 0.70710678118654752440;       // √½
constexpr double kRootOfTwoOverPi = 0.79788456080286535588;  // √(2/π)
constexpr double kDensityAtZero = 0.39894228040143267794;    // 1/√(2π)
constexpr double kGeluCube = 0.044715;

double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double power = std::exp(x);
  return power / (1 + power);
}
double softplus(double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x))); }
/// Keeps NaN.
double between(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
bool inside(double x, double low, double high) { return x > low && x < high; }

double gelu_tanh_inner(double x) { return std::tanh(kRootOfTwoOverPi * (x + kGeluCube * x * x * x)); }

struct Row {
  double (*value)(double x, double alpha, double beta);
  double (*slope)(double x, double alpha, double beta);
};

/// In the order of CellFunctionKind.
constexpr Row kRows[] = {
    // tanh, sigmoid, relu, linear
    {[](double x, double, double) { return std::tanh(x); },
     [](double x, double, double) { return 1 - std::tanh(x) * std::tanh(x); }},
    {[](double x, double, double) { return sigmoid(x); },
     [](double x, double, double) { return sigmoid(x) * sigmoid(-x); }},
    {[](double x, double, double) { return x < 0 ? 0 : x; },
     [](double x, double, double) { return x > 0 ? 1.0 : 0.0; }},
    {[](double x, double, double) { return x; }, [](double, double, double) { return 1.0; }},
    // hard_sigmoid, leaky_relu
    {[](double x, double a, double b) { return between(a * x + b, 0, 1); },
     [](double x, double a, double b) { return inside(a * x + b, 0, 1) ? a : 0.0; }},
    {[](double x, double a, double) { return x < 0 ? a * x : x; },
     [](double x, double a, double) { return x > 0 ? 1.0 : a; }},
    // elu, selu, celu
    {[](double x, double a, double) { return x > 0 ? x : a * std::expm1(x); },
     [](double x, double a, double) { return x > 0 ? 1.0 : a * std::exp(x); }},
    {[](double x, double, double) { return kSeluScale * (x > 0 ? x : kSeluAlpha * std::expm1(x)); },
     [](double x, double, double) { return kSeluScale * (x > 0 ? 1.0 : kSeluAlpha * std::exp(x)); }},
    {[](double x, double a, double) { return x > 0 ? x : a * std::expm1(x / a); },
     [](double x, double a, double) { return x > 0 ? 1.0 : std::exp(x / a); }},
    // softplus, softsign, relu6
    {[](double x, double, double) { return softplus(x); }, [](double x, double, double) { return sigmoid(x); }},
    {[](double x, double, double) { return x / (1 + std::fabs(x)); },
     [](double x, double, double) { return 1 / ((1 + std::fabs(x)) * (1 + std::fabs(x))); }},
    {[](double x, double, double) { return between(x, 0, 6); },
     [](double x, double, double) { return inside(x, 0, 6) ? 1.0 : 0.0; }},
    // gelu, gelu_tanh
    {[](double x, double, double) { return 0.5 * x * std::erfc(-x * kRootOfHalf); },
     [](double x, double, double) {
       return 0.5 * std::erfc(-x * kRootOfHalf) + x * kDensityAtZero * std::exp(-0.5 * x * x);
     }},
    {[](double x, double, double) { return 0.5 * x * (1 + gelu_tanh_inner(x)); },
     [](double x, double, double) {
       const double inner = gelu_tanh_inner(x);
       return 0.5 * (1 + inner) + 0.5 * x * (1 - inner * inner) * kRootOfTwoOverPi * (1 + 3 * kGeluCube * x * x);
     }},
    // silu, mish, exponential, log_sigmoid
    {[](double x, double, double) { return x * sigmoid(x); },
     [](double x, double, double) { return sigmoid(x) + x * sigmoid(x) * sigmoid(-x); }},
    {[](double x, double, double) { return x * std::tanh(softplus(x)); },
     [](double x, double, double) {
       const double inner = std::tanh(softplus(x));
       return inner + x * (1 - inner * inner) * sigmoid(x);
     }},
    {[](double x, double, double) { return std::exp(x); }, [](double x, double, double) { return std::exp(x); }},
    {[](double x, double, double) { return -softplus(-x); }, [](double x, double, double) { return sigmoid(-x); }},
    // hard_silu, hard_tanh, tanh_shrink
    {[](double x, double, double) { return x * between(x + 3, 0, 6) / 6; },
     [](double x, double, double) { return x <= -3  ? 0.0
                                           : x >= 3 ? 1.0
                                                    : (2 * x + 3) / 6; }},
    {[](double x, double, double) { return between(x, -1, 1); },
     [](double x, double, double) { return inside(x, -1, 1) ? 1.0 : 0.0; }},
    {[](double x, double, double) { return x - std::tanh(x); },
     [](double x, double, double) { return std::tanh(x) * std::tanh(x); }},
    // soft_shrink, hard_shrink, threshold
    {[](double x, double a, double) { return x > a    ? x - a
                                             : x < -a ? x + a
                                                      : 0 * x; },
     [](double x, double a, double) { return std::fabs(x) > a ? 1.0 : 0.0; }},
    {[](double x, double a, double) { return std::fabs(x) > a ? x : 0 * x; },
     [](double x, double a, double) { return std::fabs(x) > a ? 1.0 : 0.0; }},
    {[](double x, double a, double b) { return x <= a ? b : x; },
     [](double x, double a, double) { return x > a ? 1.0 : 0.0; }},
    // squareplus, sparse_plus, sparse_sigmoid
    {[](double x, double b, double) { return 0.5 * (x + std::sqrt(x * x + b)); },
     [](double x, double b, double) { return 0.5 * (1 + x / std::sqrt(x * x + b)); }},
    {[](double x, double, double) { return x <= -1  ? 0
                                           : x >= 1 ? x
                                                    : (x + 1) * (x + 1) / 4; },
     [](double x, double, double) { return x <= -1  ? 0.0
                                           : x >= 1 ? 1.0
                                                    : (x + 1) / 2; }},
    {[](double x, double, double) { return between((x + 1) / 2, 0, 1); },
     [](double x, double, double) { return inside(x, -1, 1) ? 0.5 : 0.0; }},
    // affine, scaled_tanh
    {[](double x, double a, double b) { return a * x + b; }, [](double, double a, double) { return a; }},
    {[](double x, double a, double b) { return a * std::tanh(b * x); },
     [](double x, double a, double b) { return a * b * (1 - std::tanh(b * x) * std::tanh(b * x)); }},
};
static_assert(std::size(kRows) == words_of(ops::CellFunctionKind{}).size());

}  // namespace

double value_of(const ops::CellFunction& function, double x) {
  return kRows[static_cast<size_t>(function.kind)].value(x, function.alpha, function.beta);
}

double slope_of(const ops::CellFunction& function, double x) {
  return kRows[static_cast<size_t>(function.kind)].slope(x, function.alpha, function.beta);
}

double slope_by_value(const ops::CellFunction& function, double y) {
  switch (function.kind) {
    case ops::CellFunctionKind::Tanh:
      return 1 - y * y;
    case ops::CellFunctionKind::Sigmoid:
      return y * (1 - y);
    case ops::CellFunctionKind::Relu:
      return y > 0 ? 1 : 0;
    default:
      return 1;
  }
}

}  // namespace causeway::reference
