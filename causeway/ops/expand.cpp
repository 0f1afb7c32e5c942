#include "causeway/ops/expand.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

namespace {

/// A list of lengths spread to a list of another length.
std::optional<std::vector<Dim>> spread_dims(const Type& list, const Shape& to) {
  std::optional<std::vector<Dim>> dims = dims_of(list);
  if (!dims || !to.has_rank() || to.rank() > 1) return std::nullopt;
  const Dim count = to.count();
  if (!count.is_number() || count.number() > Type::kKnownNumbers) return std::nullopt;
  if (dims->size() == 1) dims->resize(static_cast<size_t>(count.number()), dims->front());
  return dims;
}

}  // namespace

Types Expand::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type& x = inputs[0];
  Shape y = broadcast(x.shape, shape_named_by(inputs[1]));
  std::optional<std::vector<Dim>> dims = spread_dims(x, y);
  return {integers_type(x.dtype, std::move(y), std::move(dims))};
}

Values Expand::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {to_input(node, 0, dy[0]), {}};
}

}  // namespace causeway::ops
