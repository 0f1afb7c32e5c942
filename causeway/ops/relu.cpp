#include "causeway/ops/relu.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Relu::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {numeric(inputs[0])};
}

Values Relu::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {where(greater(node.input(0), 0.0), dy[0], 0.0)};
}

std::optional<Turned> Relu::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}

}  // namespace causeway::ops
