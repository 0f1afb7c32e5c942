#include "causeway/ops/comparison.h"

#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

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
std::optional<Turned> Equal::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}
Types Less::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
std::optional<Turned> Less::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}
Types LessOrEqual::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
std::optional<Turned> LessOrEqual::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}
Types Greater::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
std::optional<Turned> Greater::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}
Types GreaterOrEqual::infer(std::span<const Type> inputs) const { return {ordered(inputs)}; }
std::optional<Turned> GreaterOrEqual::turned(const Node& node, const Axes& axes) const {
  return turned_elementwise(*this, node, axes);
}

}  // namespace causeway::ops
