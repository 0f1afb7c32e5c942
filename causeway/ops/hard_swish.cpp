#include "causeway/ops/hard_swish.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types HardSwish::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values HardSwish::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  const Value inside = mul(dy[0], shifted(scale(x, 1.0 / 3.0), 0.5));
  return {where(less_or_equal(x, -3.0), 0.0, where(less(x, 3.0), inside, dy[0]))};
}

}  // namespace causeway::ops
