#include "causeway/ops/constant_of_shape.h"

#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

std::optional<std::vector<Dim>> numbers_of(const Shape& shape, double value) {
  if (!shape.has_rank() || shape.rank() > 1) return std::nullopt;
  const Dim count = shape.count();
  if (!count.is_number() || count.number() > Type::kKnownNumbers) return std::nullopt;
  return std::vector<Dim>(static_cast<size_t>(count.number()), Dim(static_cast<int64_t>(value)));
}

}  // namespace

Types ConstantOfShape::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  Shape y = shape_named_by(inputs[0]);
  std::optional<std::vector<Dim>> numbers = is_integer(dtype) ? numbers_of(y, value) : std::nullopt;
  return {integers_type(dtype, std::move(y), std::move(numbers))};
}

}  // namespace causeway::ops
