#include "causeway/ops/squeeze.h"

#include <algorithm>
#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// The axes that go; none where that depends on a length still open.
std::optional<std::vector<size_t>> going(const std::vector<int64_t>& axes, const Shape& x) {
  if (!axes.empty()) return axes_in(axes, x.rank());
  if (!x.is_bound()) return std::nullopt;
  std::vector<size_t> ones;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    if (x[axis] == Dim(1)) ones.push_back(axis);
  }
  return ones;
}

}  // namespace

Types Squeeze::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  const Type& x = inputs[0];
  const std::optional<std::vector<size_t>> gone = x.shape.has_rank() ? going(axes, x.shape) : std::nullopt;
  if (!gone) return {{x.dtype, {}}};
  std::vector<Dim> dims;
  for (size_t axis = 0; axis < x.shape.rank(); ++axis) {
    const Dim& length = x.shape[axis];
    if (!std::binary_search(gone->begin(), gone->end(), axis)) {
      dims.push_back(length);
    } else if (length.equals(1) == std::optional(false)) {
      unfit("axis " + std::to_string(axis) + " of " + x.shape.text() + " is to go, and its length is not 1.");
    }
  }
  const bool is_list = x.shape.rank() <= 1;
  return {integers_type(x.dtype, std::move(dims), is_list ? dims_of(x) : std::nullopt)};
}

Values Squeeze::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {reshape_like(dy[0], node.input(0))};
}

std::optional<Turned> Squeeze::turned(const Node& node, const Axes& order) const {
  const Shape& x = node.input(0).shape();
  const std::optional<std::vector<size_t>> gone = x.has_rank() ? going(axes, x) : std::nullopt;
  if (!gone) return std::nullopt;
  const std::vector<int64_t> of_x(gone->begin(), gone->end());
  if (of_x.empty()) return Turned{*this, {order}, {order}};
  return Turned{Squeeze{.axes = turned_axes(of_x, order)}, {order}, {order_without(*gone, order)}};
}

}  // namespace causeway::ops
