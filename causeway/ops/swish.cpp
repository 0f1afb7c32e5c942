#include "causeway/ops/swish.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Swish::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Swish::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  const Value s = sigmoid(scale(x, alpha));
  const Value slope = scale(mul(s, sub(number_like(s, 1.0), s)), alpha);
  return {mul(dy[0], fma(x, slope, s))};
}

}  // namespace causeway::ops
