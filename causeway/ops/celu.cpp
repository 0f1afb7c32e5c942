#include "causeway/ops/celu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Celu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (alpha == 0.0f) unfit("'alpha' is 0, and x is divided by it.");
  return {floating(inputs[0])};
}

Values Celu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  return {where(greater(x, 0.0), dy[0], mul(dy[0], exp(scale(x, 1.0 / alpha))))};
}

}  // namespace causeway::ops
