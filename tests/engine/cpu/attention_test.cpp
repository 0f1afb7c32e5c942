#include "causeway/ops/attention.h"

#include <gtest/gtest.h>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/graph/graph.h"

namespace causeway::engine::cpu {
namespace {

// Two heads over 4,096 steps: their shares would take 128 MiB.
TEST(Attention, TakesNoMemoryForSharesThatNothingReads) {
  const std::vector<int64_t> lengths{1, 4096, 16};
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, Shape::of(lengths)});
  builder.output("y", builder.add(ops::Attention{.heads = 2, .kv_heads = 2}, {x, x, x})[0]);
  const Graph graph = std::move(builder).finish();
  const CompileOptions options{.max_bytes = size_t{16} << 20};
  const auto context = CpuEngine().compile(graph, slots, {.lengths = {{"x", lengths}}}, options)->context();
  Tensor rows(DType::Float32, lengths);
  for (float& number : rows.mutable_values<float>()) number = 0.5f;
  const TensorView input = view_of(rows);
  const TensorView answer = context->run({&input, 1})[0];
  EXPECT_NEAR(static_cast<const float*>(answer.data)[0], 0.5f, 1e-5);
}

}  // namespace
}  // namespace causeway::engine::cpu
