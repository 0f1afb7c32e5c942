#include "causeway/ops/softplus.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Softplus::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Softplus::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {mul(dy[0], sigmoid(node.input(0)))};
}

}  // namespace causeway::ops
