#include "causeway/ops/softsign.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Softsign::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {floating(inputs[0])};
}

Values Softsign::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {div(dy[0], square(shifted(abs(node.input(0)), 1.0)))};
}

}  // namespace causeway::ops
