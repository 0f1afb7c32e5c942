#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "causeway/graph/op.h"

namespace causeway::engine::cpu {

/// What one step of a fused element-wise kernel computes. Truths are the numbers 0 and 1 there.
enum class Code : uint8_t {
  // Two or three operands.
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,
  Pow,
  PRelu,
  Fma,
  Where,  // clang-format off
  Equal, Less, LessOrEqual, Greater, GreaterOrEqual, And, Or, Xor,
  // One.
  Copy, Neg, Abs, Reciprocal, Sqrt, Sign, Floor, Ceil, Round, Not, IsNaN, Relu, Clip, LeakyRelu, HardSigmoid, HardSwish,
  Softsign, Exp, Log, Sin, Cos, Erf, Tanh, Sigmoid, Softplus, Elu, Celu, Gelu, GeluTanh, Swish, Mish,
};  // clang-format on

/// Two numbers a step may have of its own: bounds, slopes.
struct StepSettings {
  float first = 0, second = 0;
};

/// to[i] = f(a[i], b[i], c[i]) for `count` elements. `to` may be one of the operands.
using Elementwise = void (*)(float* to, const float* a, const float* b, const float* c, StepSettings settings,
                             size_t count);
/// For the instruction set at hand.
Elementwise elementwise(Code code);

struct Coded {
  Code code = Code::Copy;
  StepSettings settings = {};
};
/// The step that works an op; none where there is no such step. Whether the dtypes fit is the caller's affair.
std::optional<Coded> coded(const Op& op);

}  // namespace causeway::engine::cpu
