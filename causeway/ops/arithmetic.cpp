#include "causeway/ops/arithmetic.h"

#include <algorithm>
#include <functional>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// Two numbers of one dtype, broadcast.
Type arithmetic(std::span<const Type> inputs) {
  expect_inputs(inputs, 2);
  return numeric({common_dtype(inputs), broadcast_all(inputs)}, "its first operand");
}

/// The same, integer lists followed entry by entry: lengths are computed by these ops while they are still open.
Type followed(std::span<const Type> inputs, const std::function<Dim(const Dim&, const Dim&)>& formula) {
  Type type = arithmetic(inputs);
  const std::optional<std::vector<Dim>> a = dims_of(inputs[0]), b = dims_of(inputs[1]);
  if (!a || !b || !type.shape.has_rank() || type.shape.rank() > 1) return type;
  if (a->size() != b->size() && a->size() != 1 && b->size() != 1) return type;
  const size_t count = a->size() == 1 ? b->size() : a->size();
  std::vector<Dim> dims;
  for (size_t i = 0; i < count; ++i)
    dims.push_back(formula((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
  return integers_type(type.dtype, type.shape, std::move(dims));
}

/// Cut towards zero, while Dim rounds down: what both agree on.
Dim cut_quotient(const Dim& a, const Dim& b) {
  if (!b.is_number() || b.number() <= 0) return {};
  if (a.is_number() && a.number() < 0) return {};
  return a / b;
}

/// dy to each of two operands where `wins` holds for the first, halved at a tie.
Values to_winner(const Node& node, Value wins, Value dy) {
  const Value tied = equal(node.input(0), node.input(1));
  const Value half = scale(dy, 0.5);
  const Value to_a = where(tied, half, where(wins, dy, 0.0));
  const Value to_b = where(tied, half, where(wins, 0.0, dy));
  return {to_input(node, 0, to_a), to_input(node, 1, to_b)};
}

}  // namespace

Types Add::infer(std::span<const Type> inputs) const {
  return {followed(inputs, [](const Dim& a, const Dim& b) { return a + b; })};
}
Values Add::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {to_input(node, 0, dy[0]), to_input(node, 1, dy[0])};
}
Types Sub::infer(std::span<const Type> inputs) const {
  return {followed(inputs, [](const Dim& a, const Dim& b) { return a - b; })};
}
Values Sub::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {to_input(node, 0, dy[0]), neg(to_input(node, 1, dy[0]))};
}
Types Mul::infer(std::span<const Type> inputs) const {
  return {followed(inputs, [](const Dim& a, const Dim& b) { return a * b; })};
}
Values Mul::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {to_input(node, 0, mul(dy[0], node.input(1))), to_input(node, 1, mul(dy[0], node.input(0)))};
}
Types Div::infer(std::span<const Type> inputs) const { return {followed(inputs, cut_quotient)}; }
Values Div::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value to_a = div(dy[0], node.input(1));
  return {to_input(node, 0, to_a), to_input(node, 1, neg(mul(to_a, node.output())))};
}
Types Pow::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  numeric(inputs[1], "the exponent");
  return {numeric({inputs[0].dtype, broadcast_all(inputs)}, "the base")};
}
Values Pow::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value a = node.input(0), y = node.output();
  const Value b = cast(node.input(1), a.dtype());
  const Value to_a = where(equal(b, 0.0), 0.0, mul(dy[0], mul(b, pow(a, shifted(b, -1.0)))));
  if (!is_floating(node.input(1).dtype())) return {to_input(node, 0, to_a), {}};
  const Value flat = logical_and(equal(a, 0.0), greater_or_equal(b, 0.0));
  const Value to_b = where(flat, 0.0, mul(dy[0], mul(y, log(a))));
  return {to_input(node, 0, to_a), to_input(node, 1, cast(to_b, node.input(1).dtype()))};
}
Types Mod::infer(std::span<const Type> inputs) const { return {arithmetic(inputs)}; }
Values Mod::gradient(GraphBuilder&, const Node& node, const Values& dy) const { return {to_input(node, 0, dy[0]), {}}; }
Types Max::infer(std::span<const Type> inputs) const { return {arithmetic(inputs)}; }
Values Max::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return to_winner(node, greater(node.input(0), node.input(1)), dy[0]);
}
Types Min::infer(std::span<const Type> inputs) const { return {arithmetic(inputs)}; }
Values Min::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return to_winner(node, less(node.input(0), node.input(1)), dy[0]);
}
Types Fma::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  return {spread(inputs)};
}
Values Fma::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {to_input(node, 0, mul(dy[0], node.input(1))), to_input(node, 1, mul(dy[0], node.input(0))),
          to_input(node, 2, dy[0])};
}
}  // namespace causeway::ops
