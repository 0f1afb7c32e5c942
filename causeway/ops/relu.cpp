#include "causeway/ops/relu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Relu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {numeric(inputs[0])};
}

Values Relu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {where(greater(node.input(0), 0.0), dy[0], 0.0)};
}

}  // namespace causeway::ops
