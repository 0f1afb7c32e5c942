#include "causeway/ops/selu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Selu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Selu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  const Value passed = scale(dy[0], gamma);
  return {where(greater(x, 0.0), passed, mul(passed, scale(exp(x), alpha)))};
}

}  // namespace causeway::ops
