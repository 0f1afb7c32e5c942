#include "causeway/ops/sum_to.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types SumTo::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type x = numeric(inputs[0]);
  Shape y = shape_named_by(inputs[1]);
  spread_to(y, x.shape, "what is summed to");
  return {{x.dtype, std::move(y)}};
}

Values SumTo::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {expand_like(dy[0], node.input(0)), {}};
}

}  // namespace causeway::ops
