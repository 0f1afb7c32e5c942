#include "causeway/ops/sparsemax.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Sparsemax::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (inputs[0].shape.has_rank()) axis_in(axis, inputs[0].shape.rank());
  return {floating(inputs[0])};
}

Values Sparsemax::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value kept = greater(node.output(), 0.0);
  const Value total = reduce_sum(where(kept, dy[0], 0.0), {axis}, true);
  const Value count = reduce_sum(cast(kept, dy[0].dtype()), {axis}, true);
  return {where(kept, sub(dy[0], div(total, count)), 0.0)};
}

std::optional<Turned> Sparsemax::turned(const Node&, const Axes& axes) const {
  return Turned{Sparsemax{.axis = turned_axis(axis, axes)}, {axes}, {axes}};
}

}  // namespace causeway::ops
