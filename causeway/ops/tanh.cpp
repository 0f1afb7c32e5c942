#include "causeway/ops/tanh.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Tanh::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Tanh::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value y = node.output();
  return {mul(dy[0], sub(number_like(y, 1.0), square(y)))};
}

}  // namespace causeway::ops
