#include "causeway/ops/arg_max.h"

#include <string>

#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types ArgMax::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  const Type x = numeric(inputs[0]);
  if (!x.shape.has_rank()) return {{DType::Int64, {}}};
  const size_t along = axis_in(axis, x.shape.rank());
  std::vector<Dim> dims = *x.shape.dims;
  if (dims[along] == Dim(0)) unfit("axis " + std::to_string(along) + " of " + x.shape.text() + " has no place.");
  if (keepdims) {
    dims[along] = 1;
  } else {
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(along));
  }
  return {{DType::Int64, std::move(dims)}};
}

std::optional<Turned> ArgMax::turned(const Node&, const Axes& axes) const {
  const ArgMax moved{.axis = turned_axis(axis, axes), .keepdims = keepdims, .select_last = select_last};
  return Turned{moved, {axes}, {keepdims ? axes : order_without({axis_in(axis, axes.size())}, axes)}};
}

}  // namespace causeway::ops
