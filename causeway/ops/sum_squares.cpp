#include "causeway/ops/sum_squares.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types SumSquares::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  floating(inputs[0]);
  return {{DType::Float64, Shape(std::vector<Dim>())}};
}

Values SumSquares::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  return {mul(x, scale(cast(dy[0], x.dtype()), 2.0))};
}

}  // namespace causeway::ops
