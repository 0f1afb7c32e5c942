#include "causeway/ops/hard_sigmoid.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types HardSigmoid::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values HardSigmoid::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value y = node.output();
  const Value inside = logical_and(greater(y, 0.0), less(y, 1.0));
  return {where(inside, scale(dy[0], alpha), 0.0)};
}

}  // namespace causeway::ops
