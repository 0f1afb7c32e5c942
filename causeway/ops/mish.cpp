#include "causeway/ops/mish.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Mish::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Mish::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  const Value t = tanh(softplus(x));
  const Value slope = mul(sub(number_like(t, 1.0), square(t)), sigmoid(x));
  return {mul(dy[0], fma(x, slope, t))};
}

}  // namespace causeway::ops
