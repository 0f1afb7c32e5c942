#include "causeway/ops/sigmoid.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Sigmoid::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Sigmoid::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value y = node.output();
  return {mul(dy[0], mul(y, sub(number_like(y, 1.0), y)))};
}

}  // namespace causeway::ops
