#include "causeway/ops/gelu.h"

#include <numbers>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Gelu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Gelu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  if (!tanh_form) {
    const Value share = scale(shifted(erf(scale(x, 1.0 / std::numbers::sqrt2)), 1.0), 0.5);
    const Value bell = scale(exp(scale(square(x), -0.5)), std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    return {mul(dy[0], fma(x, bell, share))};
  }
  const double c = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  const Value t = tanh(mul(x, shifted(scale(square(x), c * 0.044715), c)));
  const Value inner = shifted(scale(square(x), 3.0 * c * 0.044715), c);
  const Value slope = scale(mul(sub(number_like(t, 1.0), square(t)), inner), 0.5);
  return {mul(dy[0], fma(x, slope, scale(shifted(t, 1.0), 0.5)))};
}

}  // namespace causeway::ops
