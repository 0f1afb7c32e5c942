#include "causeway/ops/elementwise.h"

#include "causeway/ops/op_list.h"

namespace causeway::ops {
namespace {

template <class... S>
bool is_one_of(const Op& op) {
  return (op.is<S>() || ...);
}

}  // namespace

bool is_elementwise(const Op& op) {
  return is_one_of<Add, Sub, Mul, Div, Pow, Max, Min, Mod, Fma, Where>(op) ||
         is_one_of<Equal, Less, LessOrEqual, Greater, GreaterOrEqual, And, Or, Xor, Not>(op) ||
         is_one_of<Neg, Abs, Reciprocal, Sqrt, Exp, Log, Sin, Cos, Erf, Sign, Floor, Ceil, Round, IsNaN, Identity>(
             op) ||
         is_one_of<Cast, Clip, Relu, LeakyRelu, PRelu, Elu, Selu, Celu, Gelu, Swish, Mish>(op) ||
         is_one_of<Tanh, Sigmoid, Softplus, Softsign, HardSigmoid, HardSwish>(op);
}

}  // namespace causeway::ops
