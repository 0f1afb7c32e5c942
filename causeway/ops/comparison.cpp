#include "causeway/ops/comparison.h"

#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

Type compared(std::span<const Type> inputs) {
  expect_inputs(inputs, 2);
  common_dtype(inputs);
  return {DType::Bool, broadcast_all(inputs)};
}

/// The same where the operands have an order: truths have none.
Type ordered(std::span<const Type> inputs) {
  Type type = compared(inputs);
  numeric({common_dtype(inputs), {}}, "its first operand");
  return type;
}

}  // namespace

Types Equal::infer(std::span<const Type> inputs) const { return {compared(inputs)}; }
Types Less::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
Types LessOrEqual::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
Types Greater::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
Types GreaterOrEqual::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
}  // namespace causeway::ops
