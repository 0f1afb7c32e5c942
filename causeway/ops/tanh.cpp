#include "causeway/ops/tanh.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Tanh::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Tanh::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value y = node.output();
  return {mul(dy[0], sub(number_like(y, 1.0), square(y)))};
}

std::optional<Turned> Tanh::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}

}  // namespace causeway::ops
