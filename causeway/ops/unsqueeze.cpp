#include "causeway/ops/unsqueeze.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Unsqueeze::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  const Type& x = inputs[0];
  if (!x.shape.has_rank()) return {{x.dtype, {}}};
  const size_t rank = x.shape.rank() + axes.size();
  const std::vector<size_t> put_in = axes_in(axes, rank);
  std::vector<Dim> dims;
  for (size_t axis = 0, of_x = 0; axis < rank; ++axis) {
    const bool is_new = std::binary_search(put_in.begin(), put_in.end(), axis);
    dims.push_back(is_new ? Dim(1) : x.shape[of_x++]);
  }
  const bool is_list = rank <= 1;
  return {integers_type(x.dtype, std::move(dims), is_list ? dims_of(x) : std::nullopt)};
}

Values Unsqueeze::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {reshape_like(dy[0], node.input(0))};
}

std::optional<Turned> Unsqueeze::turned(const Node&, const Axes& order) const {
  // The new axes stand in the same places of y'; the others keep their order among themselves around them.
  const std::vector<size_t> put_in = axes_in(axes, order.size() + axes.size());
  Axes of_y(order.size() + axes.size()), old;
  for (size_t axis = 0; axis < of_y.size(); ++axis) {
    of_y[axis] = axis;
    if (!std::binary_search(put_in.begin(), put_in.end(), axis)) old.push_back(axis);
  }
  for (size_t i = 0; i < old.size(); ++i) of_y[old[i]] = old[order[i]];
  return Turned{*this, {order}, {of_y}};
}

}  // namespace causeway::ops
