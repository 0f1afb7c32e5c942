#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/ops/attention.h"
#include "tests/ops/case_graph.h"
#include "tests/ops/engines.h"

// What a training step makes of an attention's dropout: a factor on each share, drawn by the seed, the layer's path and
// the batch, and numbered row by row over [N, heads, Lq, Lk].

namespace causeway::tests {
namespace {

using testing::ElementsAre;

/// Two queries that look at four keys evenly, values 4 8 16 32, in batch 3 of a run with seed 7.
std::vector<float> trained(const Engine& engine, const ops::Attention& attention) {
  CaseGraph made;
  GraphBuilder builder(made.slots);
  made.inputs.push_back(Tensor(DType::Float32, {1, 2, 1}));
  made.inputs.push_back(Tensor(DType::Float32, {1, 4, 1}));
  made.inputs.push_back(Tensor::of<float>({1, 4, 1}, {4, 8, 16, 32}));
  Values inputs;
  for (const Tensor& input : made.inputs) {
    inputs.push_back(builder.input("x" + std::to_string(inputs.size()), Type::open(input)));
  }
  const ScopeGuard layer = builder.scope("1", "MultiHeadAttention");
  const Values answering = builder.add(attention, inputs);
  const std::optional<Values> training = answering[0].node()->op.training(builder, *answering[0].node());
  builder.output("y", training ? training->at(0) : answering[0]);
  for (const Door& door : builder.inputs().subspan(3)) {
    made.inputs.push_back(Tensor::scalar<int64_t>(door.name == "@seed" ? 7 : 3));
  }
  made.graph = std::move(builder).finish();
  const Tensor y = run_on(engine, made)[0];
  return {y.values<float>().begin(), y.values<float>().end()};
}

TEST(AttentionTraining, DropsShares) {
  for (const Engine* engine : judged_engines()) {
    EXPECT_THAT(trained(*engine, {}), ElementsAre(15, 15)) << engine->name();
    // The draws are .76 .69 .86 .74, .49 .13 .30 .52: all of the first four stay, of the others the last.
    EXPECT_THAT(trained(*engine, {.dropout_rate = 0.5f}), ElementsAre(30, 16)) << engine->name();
    EXPECT_THAT(trained(*engine, {.dropout_rate = 1}), ElementsAre(0, 0)) << engine->name();
  }
}

TEST(AttentionTraining, IsNothingElseWithoutDropout) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, Shape{Dim::named("N"), 3, 4}});
  const Values y = builder.add(ops::Attention{}, {x, x, x});
  EXPECT_FALSE(y[0].node()->op.training(builder, *y[0].node()));
}

}  // namespace
}  // namespace causeway::tests
