#include "causeway/ops/elu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Elu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Elu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  return {where(greater(x, 0.0), dy[0], mul(dy[0], scale(exp(x), alpha)))};
}

}  // namespace causeway::ops
