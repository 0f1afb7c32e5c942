#include "causeway/ops/cast.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Cast::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (to == DType::Unknown) unfit("'to' names no dtype.");
  std::optional<std::vector<Dim>> dims;
  if (inputs[0].shape.has_rank() && inputs[0].shape.rank() <= 1) dims = dims_of(inputs[0]);
  return {integers_type(to, inputs[0].shape, std::move(dims))};
}

Values Cast::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const DType from = node.input(0).dtype();
  if (!is_floating(from) || !is_floating(to)) return {Value()};
  return {cast(dy[0], from)};
}

}  // namespace causeway::ops
