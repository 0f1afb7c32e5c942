#include "causeway/ops/softmax.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

Type along(std::span<const Type> inputs, int64_t axis) {
  expect_inputs(inputs, 1);
  if (inputs[0].shape.has_rank()) axis_in(axis, inputs[0].shape.rank());
  return floating(inputs[0]);
}

}  // namespace

Types Softmax::infer(std::span<const Type> inputs) const { return {along(inputs, axis)}; }

Values Softmax::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value y = node.output();
  return {mul(y, sub(dy[0], reduce_sum(mul(dy[0], y), {axis}, true)))};
}

std::optional<Turned> Softmax::turned(const Node&, const Axes& axes) const {
  return Turned{Softmax{.axis = turned_axis(axis, axes)}, {axes}, {axes}};
}

Types LogSoftmax::infer(std::span<const Type> inputs) const { return {along(inputs, axis)}; }

Values LogSoftmax::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {sub(dy[0], mul(exp(node.output()), reduce_sum(dy[0], {axis}, true)))};
}

std::optional<Turned> LogSoftmax::turned(const Node&, const Axes& axes) const {
  return Turned{LogSoftmax{.axis = turned_axis(axis, axes)}, {axes}, {axes}};
}

}  // namespace causeway::ops
