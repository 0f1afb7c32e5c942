#include "causeway/ops/tile.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Tile::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type& x = inputs[0];
  const Shape repeats = shape_named_by(inputs[1], "repeats");
  if (!x.shape.has_rank()) return {{x.dtype, repeats.has_rank() ? Shape::of_rank(repeats.rank()) : Shape()}};
  if (!repeats.has_rank()) return {{x.dtype, Shape::of_rank(x.shape.rank())}};
  if (repeats.rank() != x.shape.rank()) {
    unfit("'repeats' has " + std::to_string(repeats.rank()) + " numbers, and x is " + x.shape.text() + ".");
  }
  std::vector<Dim> dims;
  for (size_t axis = 0; axis < repeats.rank(); ++axis) {
    dims.push_back(x.shape[axis] * repeats[axis]);
    if (dims.back().is_unknown() && x.shape[axis].is_number() && repeats[axis].is_number()) {
      unfit("an axis of " + x.shape[axis].text() + " is to be repeated " + repeats[axis].text() +
            " times, which passes 2^63 - 1.");
    }
  }
  return {{x.dtype, std::move(dims)}};
}

Values Tile::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  // [copies, length] for each axis, and the copies are summed.
  const Value x = node.input(0);
  const size_t rank = rank_of(x);
  if (rank == 0) return {dy[0], {}};
  const Value pairs = concat({unsqueeze(node.input(1), {1}), unsqueeze(shape_of(x), {1})}, 1);
  std::vector<int64_t> copies;
  for (size_t axis = 0; axis < rank; ++axis) copies.push_back(static_cast<int64_t>(2 * axis));
  const Value apart = reshape(dy[0], reshape(pairs, {static_cast<int64_t>(2 * rank)}));
  return {reduce_sum(apart, copies), {}};
}

std::optional<Turned> Tile::turned(const Node&, const Axes& axes) const {
  return Turned{Tile{}, {axes, {}}, {axes}, {AxisList::None, AxisList::PerAxis}};
}

}  // namespace causeway::ops
