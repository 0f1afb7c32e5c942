#include "causeway/ops/logic.h"

#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

Type two_truths(std::span<const Type> inputs) {
  expect_inputs(inputs, 2);
  truth(inputs[0], "its first operand");
  truth(inputs[1], "its second operand");
  return {DType::Bool, broadcast_all(inputs)};
}

}  // namespace

Types And::infer(std::span<const Type> inputs) const { return {two_truths(inputs)}; }
Types Or::infer(std::span<const Type> inputs) const { return {two_truths(inputs)}; }
Types Xor::infer(std::span<const Type> inputs) const { return {two_truths(inputs)}; }
Types Not::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {{DType::Bool, truth(inputs[0]).shape}};
}
Types IsNaN::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {{DType::Bool, floating(inputs[0]).shape}};
}
}  // namespace causeway::ops
