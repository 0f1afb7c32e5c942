#include "causeway/ops/shape_of.h"

#include <algorithm>

#include "causeway/ops/rules.h"

namespace causeway::ops {

Types ShapeOf::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (!inputs[0].shape.has_rank()) return {{DType::Int64, Shape::of_rank(1)}};
  const std::vector<Dim>& dims = *inputs[0].shape.dims;
  const auto rank = static_cast<int64_t>(dims.size());
  const auto clamped = [&](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const int64_t first = clamped(start), last = std::max(first, clamped(end.value_or(rank)));
  std::vector<Dim> part(dims.begin() + first, dims.begin() + last);
  const auto count = static_cast<int64_t>(part.size());
  return {integers_type(DType::Int64, Shape{count}, std::move(part))};
}

}  // namespace causeway::ops
