#include "causeway/ops/where.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Where::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  truth(inputs[0], "the condition");
  return {{common_dtype(inputs.subspan(1)), broadcast_all(inputs)}};
}

Values Where::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value condition = node.input(0);
  return {{}, to_input(node, 1, where(condition, dy[0], 0.0)), to_input(node, 2, where(condition, 0.0, dy[0]))};
}

}  // namespace causeway::ops
