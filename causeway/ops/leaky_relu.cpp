#include "causeway/ops/leaky_relu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types LeakyRelu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values LeakyRelu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value passes = greater(node.input(0), 0.0);
  return {where(passes, dy[0], scale(dy[0], slope))};
}

}  // namespace causeway::ops
