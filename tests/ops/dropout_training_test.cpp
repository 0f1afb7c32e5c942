#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/ops/dropout.h"
#include "tests/ops/case_graph.h"
#include "tests/ops/engines.h"

// What a training step makes of a dropout: draws addressed by seed, layer and batch, the same on every engine.

namespace causeway::tests {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// Ones of those lengths through the dropout of layer `scope`, in batch 3 of a run with seed 7.
std::vector<float> trained(const Engine& engine, const ops::Dropout& dropout, const std::vector<int64_t>& lengths,
                           const std::string& scope = "1") {
  CaseGraph made;
  GraphBuilder builder(made.slots);
  made.inputs.push_back(
      Tensor::of(lengths, std::vector<float>(static_cast<size_t>(Shape::of(lengths).count().number()), 1.0f)));
  const Value x = builder.input("x", Type::open(made.inputs[0]));
  const ScopeGuard layer = builder.scope(scope, "Dropout");
  const Value answering = builder.add1(dropout, {x});
  const std::optional<Values> training = answering.node()->op.training(builder, *answering.node());
  builder.output("y", training ? training->at(0) : answering);
  for (const Door& door : builder.inputs().subspan(1)) {
    made.inputs.push_back(Tensor::scalar<int64_t>(door.name == "@seed" ? 7 : 3));
  }
  made.graph = std::move(builder).finish();
  const Tensor y = run_on(engine, made)[0];
  return {y.values<float>().begin(), y.values<float>().end()};
}

TEST(DropoutTraining, KeepsWhatIsDrawnAtTheRateOrAbove) {
  for (const Engine* engine : judged_engines()) {
    // The draws are .76 .69 .86 .74 .49 .13 .30 .52.
    EXPECT_THAT(trained(*engine, {.rate = 0.5f}, {2, 4}), ElementsAre(2, 2, 2, 2, 0, 0, 0, 2)) << engine->name();
    const float kept = static_cast<float>(1.0 / 0.7);
    EXPECT_THAT(trained(*engine, {.rate = 0.3f}, {8}), ElementsAre(kept, kept, kept, kept, kept, 0, kept, kept))
        << engine->name();
  }
}

TEST(DropoutTraining, SharesADrawAlongAnAxis) {
  for (const Engine* engine : judged_engines()) {
    EXPECT_THAT(trained(*engine, {.rate = 0.5f, .shared_axes = {1}}, {2, 2, 3}),
                ElementsAre(2, 2, 2, 2, 2, 2, 2, 0, 0, 2, 0, 0))
        << engine->name();
  }
}

TEST(DropoutTraining, NumbersItsDrawsInAnotherOrder) {
  for (const Engine* engine : judged_engines()) {
    EXPECT_THAT(trained(*engine, {.rate = 0.5f, .drawn_in = {1, 0}}, {4, 2}), ElementsAre(2, 0, 2, 0, 2, 0, 2, 2))
        << engine->name();
  }
}

TEST(DropoutTraining, DrawsForEachCallOfALayer) {
  const Engine& engine = *judged_engines().front();
  const ops::Dropout half{.rate = 0.5f};
  EXPECT_NE(trained(engine, half, {64}, "1"), trained(engine, half, {64}, "1#2"));
  EXPECT_EQ(trained(engine, half, {64}, "1#2"), trained(engine, half, {64}, "1#2"));
}

TEST(DropoutTraining, DropsNothingAtRateZeroAndAllAtOne) {
  for (const Engine* engine : judged_engines()) {
    EXPECT_THAT(trained(*engine, {.rate = 0.0f}, {3}), ElementsAre(1, 1, 1)) << engine->name();
    EXPECT_THAT(trained(*engine, {.rate = 1.0f}, {3}), ElementsAre(0, 0, 0)) << engine->name();
    EXPECT_THAT(trained(*engine, {.rate = 0.5f}, {0, 3}), ElementsAreArray(std::vector<float>())) << engine->name();
  }
}

}  // namespace
}  // namespace causeway::tests
