#include "causeway/ops/transpose.h"

#include <algorithm>
#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

bool is_an_order(const Axes& axes, size_t rank) {
  if (axes.size() != rank) return false;
  std::vector<bool> seen(rank, false);
  for (const size_t axis : axes) {
    if (axis >= rank || seen[axis]) return false;
    seen[axis] = true;
  }
  return true;
}

}  // namespace

Axes Transpose::order(size_t rank) const {
  if (!axes.empty()) return axes;
  Axes backwards(rank);
  for (size_t i = 0; i < rank; ++i) backwards[i] = rank - 1 - i;
  return backwards;
}

Types Transpose::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  const Type& x = inputs[0];
  if (axes.empty() && !x.shape.has_rank()) return {{x.dtype, {}}};
  const Shape shape = axes.empty() ? x.shape : with_rank(x, axes.size(), "x");
  const Axes order = this->order(shape.rank());
  if (!is_an_order(order, shape.rank())) {
    const std::vector<int64_t> stated(order.begin(), order.end());
    unfit("'axes' is " + Shape::of(stated).text() + ", and each of 0 to " + std::to_string(shape.rank() - 1) +
          " is expected once.");
  }
  std::vector<Dim> dims;
  for (const size_t axis : order) dims.push_back(shape[axis]);
  const bool is_list = dims.size() <= 1;
  return {integers_type(x.dtype, std::move(dims), is_list ? dims_of(x) : std::nullopt)};
}

Values Transpose::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {transpose(dy[0], inverse(order(rank_of(node.input(0)))))};
}

std::optional<Turned> Transpose::turned(const Node&, const Axes& first) const {
  return Turned{Transpose{.axes = composed(first, order(first.size()))}, {first}, {{}}};
}

}  // namespace causeway::ops
