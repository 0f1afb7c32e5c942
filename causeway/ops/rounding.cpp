#include "causeway/ops/rounding.h"

#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

Type rounded(std::span<const Type> inputs) {
  expect_inputs(inputs, 1);
  return floating(inputs[0]);
}

/// A gradient of 0 is none at all.
Values nothing() { return {Value()}; }

}  // namespace

Types Floor::infer(std::span<const Type> inputs) const { return {rounded(inputs)}; }
Values Floor::gradient(GraphBuilder&, const Node&, const Values&) const { return nothing(); }
Types Ceil::infer(std::span<const Type> inputs) const { return {rounded(inputs)}; }
Values Ceil::gradient(GraphBuilder&, const Node&, const Values&) const { return nothing(); }
Types Round::infer(std::span<const Type> inputs) const { return {rounded(inputs)}; }
Values Round::gradient(GraphBuilder&, const Node&, const Values&) const { return nothing(); }
Types Sign::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {numeric(inputs[0])};
}
Values Sign::gradient(GraphBuilder&, const Node&, const Values&) const { return nothing(); }
}  // namespace causeway::ops
