#include "causeway/ops/step_counts.h"

#include "causeway/ops/build.h"
#include "causeway/ops/range.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types StepCounts::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  indexing(inputs[0], "lengths");
  with_rank(indexing(inputs[1], "steps"), 0, "steps");
  return {{DType::Int64, inputs[0].shape}};
}

Value real_steps(Value lengths, Value steps) {
  GraphBuilder& graph = lengths.graph();
  const Value places = graph.add1(Range{}, {graph.scalar(int64_t{0}), steps, graph.scalar(int64_t{1})});
  return less(places, unsqueeze(graph.add1(StepCounts{}, {lengths, steps}), {1}));
}

}  // namespace causeway::ops
