#include "causeway/ops/scatter_add.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types ScatterAdd::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  const Type indices = indexing(inputs[0], "indices");
  const Type updates = floating(inputs[1], "the updates");
  Shape y = shape_named_by(inputs[2]);
  if (!y.has_rank() || !indices.shape.has_rank()) return {{updates.dtype, std::move(y)}};
  const size_t along = axis_in(axis, y.rank());
  std::vector<Dim> expected = *y.dims;
  const auto at = expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(along));
  expected.insert(at, indices.shape.dims->begin(), indices.shape.dims->end());
  const Shape there = with_rank(updates, expected.size(), "the updates");
  for (size_t i = 0; i < expected.size(); ++i) {
    same_length(there[i], expected[i], "a length of the updates", "that of what the indices name");
  }
  return {{updates.dtype, std::move(y)}};
}

Values ScatterAdd::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {{}, gather(dy[0], node.input(0), axis), {}};
}

}  // namespace causeway::ops
