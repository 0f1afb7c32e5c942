#include "causeway/ops/top_k.h"

#include "causeway/ops/build.h"
#include "causeway/ops/range.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types TopK::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type x = numeric(inputs[0]);
  const Type k = indexing(inputs[1], "k");
  if (k.shape.has_rank() && (k.shape.rank() > 1 || k.shape.count().equals(Dim(1)) == std::optional(false))) {
    unfit("k is " + k.shape.text() + ", and it is one number.");
  }
  if (!x.shape.has_rank()) return {x, {DType::Int64, {}}};
  const size_t along = axis_in(axis, x.shape.rank());
  const std::optional<std::vector<Dim>> count = dims_of(inputs[1]);
  Shape y = x.shape;
  y[along] = count && count->size() == 1 ? count->front() : Dim();
  const Dim &wanted = y[along], &length = x.shape[along];
  if (wanted.is_number() && (wanted.number() < 0 || (length.is_number() && wanted.number() > length.number()))) {
    unfit("k is " + wanted.text() + ", and axis " + std::to_string(along) + " of " + x.shape.text() + " has " +
          length.text() + " places.");
  }
  return {{x.dtype, y}, {DType::Int64, y}};
}

Values TopK::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  // dx at place i is the sum of the dy whose value stood at i.
  const Value x = node.input(0);
  if (!dy[0]) return {{}, {}};
  const size_t rank = rank_of(x), along = axis_in(axis, rank);
  const auto at = static_cast<int64_t>(along);
  const Value length = squeeze(gather(shape_of(x), integers(graph, {at})), {0});
  const Value list = graph.add1(Range{}, {graph.scalar(int64_t{0}), length, graph.scalar(int64_t{1})});
  const Value stood_here = equal(unsqueeze(node.output(1), {at}), along_axis(list, along, rank + 1));
  return {reduce_sum(where(stood_here, unsqueeze(dy[0], {at}), 0.0), {at + 1}), {}};
}

}  // namespace causeway::ops
