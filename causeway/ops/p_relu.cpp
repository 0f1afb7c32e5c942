#include "causeway/ops/p_relu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types PRelu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  Type y = spread(inputs);
  y.shape = spread_to(inputs[1].shape, inputs[0].shape, "the slope");
  return {y};
}

Values PRelu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  const Value passes = greater(x, 0.0);
  const Value to_slope = where(passes, 0.0, mul(dy[0], x));
  return {where(passes, dy[0], mul(dy[0], node.input(1))), to_input(node, 1, to_slope)};
}

}  // namespace causeway::ops
