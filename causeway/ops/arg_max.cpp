#include "causeway/ops/arg_max.h"

#include <string>

#include "causeway/ops/rules.h"

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

}  // namespace causeway::ops
