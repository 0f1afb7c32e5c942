#include "causeway/ops/elementary.h"

#include <numbers>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

Type function(std::span<const Type> inputs) {
  expect_inputs(inputs, 1);
  return floating(inputs[0]);
}

}  // namespace

Types Identity::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {inputs[0]};
}
Values Identity::gradient(GraphBuilder&, const Node&, const Values& dy) const { return {dy[0]}; }
Types Neg::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {numeric(inputs[0])};
}
Values Neg::gradient(GraphBuilder&, const Node&, const Values& dy) const { return {neg(dy[0])}; }
Types Abs::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {numeric(inputs[0])};
}
Values Abs::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {mul(dy[0], sign(node.input(0)))};
}
Types Reciprocal::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Reciprocal::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {neg(mul(dy[0], square(node.output())))};
}
Types Sqrt::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Sqrt::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {div(dy[0], scale(node.output(), 2.0))};
}
Types Exp::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Exp::gradient(GraphBuilder&, const Node& node, const Values& dy) const { return {mul(dy[0], node.output())}; }
Types Log::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Log::gradient(GraphBuilder&, const Node& node, const Values& dy) const { return {div(dy[0], node.input(0))}; }
Types Sin::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Sin::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {mul(dy[0], cos(node.input(0)))};
}
Types Cos::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Cos::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {neg(mul(dy[0], sin(node.input(0))))};
}
Types Erf::infer(std::span<const Type> inputs) const { return {function(inputs)}; }
Values Erf::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value bell = exp(neg(square(node.input(0))));
  return {mul(dy[0], scale(bell, 2.0 * std::numbers::inv_sqrtpi))};
}
}  // namespace causeway::ops
