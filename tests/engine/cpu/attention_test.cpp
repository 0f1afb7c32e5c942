#include "causeway/ops/attention.h"

#include <gtest/gtest.h>

#include <string>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/graph/graph.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "tests/engine/cpu/sample_networks.h"

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

// Queries, keys and values that are columns of one product are read there, by the attention and by its gradient.
TEST(Attention, ReadsColumnsWhereTheyLie) {
  const Tensor x = samples::random_tensor({2, 9, 28}, 1), dy = samples::random_tensor({2, 9, 12}, 2);
  for (const bool by_split : {false, true}) {
    SCOPED_TRACE(by_split ? "split" : "slices");
    Slots slots;
    GraphBuilder builder(slots);
    const Value all = ops::tanh(builder.input("x", Type::open(x)));
    const Values parts =
        by_split ? ops::split(all, {12, 4, 12}, -1)
                 : Values{ops::slice(all, 2, 0, 12), ops::slice(all, 2, 12, 16), ops::slice(all, 2, 16, 28)};
    const ops::Attention op{.heads = 4, .kv_heads = 4, .scale = 0.5f};
    const Value keys = ops::concat({parts[1], parts[1], parts[1]}, 2);
    const Values made = builder.add(op, {parts[0], keys, parts[2]});
    builder.output("y", made[0]);
    const Values slopes = builder.add(ops::AttentionGradient{.heads = 4, .kv_heads = 4, .scale = 0.5f},
                                      {builder.input("dy", Type::open(dy)), parts[0], keys, parts[2], made[1]});
    for (size_t i = 0; i < 3; ++i) builder.output("d" + std::to_string(i), slopes[i]);
    const Graph graph = std::move(builder).finish();
    const Binding binding{.lengths = {{"x", x.lengths()}, {"dy", dy.lengths()}}};

    Draft draft = drafted(passes::bound(graph, slots, {binding.lengths}));
    rewrite(draft);
    for (const Task& task : draft.tasks) {
      EXPECT_FALSE(task.op.is<ops::Attention>() || task.op.is<ops::AttentionGradient>());
    }
    const TensorView inputs[] = {view_of(x), view_of(dy)};
    const auto judge = reference::ReferenceEngine().compile(graph, slots, binding)->context();
    const auto ours = CpuEngine().compile(graph, slots, binding, {.threads = 2})->context();
    const auto expected = judge->run(inputs), got = ours->run(inputs);
    for (size_t output = 0; output < 4; ++output) {
      const Tensor a = copy_of(got[output]), b = copy_of(expected[output]);
      for (int64_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a.number_at(i), b.number_at(i), 1e-5) << output << ", " << i;
    }
  }
}

}  // namespace
}  // namespace causeway::engine::cpu
