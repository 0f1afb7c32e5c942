#include "causeway/ops/row_numbers.h"

#include <string>

#include "causeway/base/fault.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types RowNumbers::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (count < 1) unfit("'count' is " + std::to_string(count) + ", and a table has at least 1 row.");
  if (inputs[0].dtype == DType::Bool) unfit("it is handed truths, and the numbers of rows are read.");
  return {{DType::Int64, inputs[0].shape}};
}

std::optional<Turned> RowNumbers::turned(const Node&, const Axes& axes) const { return Turned{*this, {axes}, {axes}}; }

}  // namespace causeway::ops
