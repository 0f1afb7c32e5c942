#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/base/philox.h"
#include "causeway/ops/noise.h"
#include "tests/ops/case_graph.h"
#include "tests/ops/engines.h"

// What a training step makes of a noise: draws addressed by seed, layer and batch, the same on every engine.

namespace causeway::tests {
namespace {

/// x through the noise of layer 1, in batch 3 of a run with seed 7.
std::vector<float> trained(const Engine& engine, const Op& noise, const Tensor& x) {
  CaseGraph made;
  GraphBuilder builder(made.slots);
  made.inputs.push_back(x);
  const Value door = builder.input("x", Type::open(x));
  const ScopeGuard layer = builder.scope("1", "Noise");
  const Value answering = builder.add1(noise, {door});
  const std::optional<Values> training = answering.node()->op.training(builder, *answering.node());
  builder.output("y", training ? training->at(0) : answering);
  for (const Door& each : builder.inputs().subspan(1)) {
    made.inputs.push_back(Tensor::scalar<int64_t>(each.name == "@seed" ? 7 : 3));
  }
  made.graph = std::move(builder).finish();
  const Tensor y = run_on(engine, made)[0];
  return {y.values<float>().begin(), y.values<float>().end()};
}

// The draws of "dropout:1" in batch 3 are .76 .69 .86 .74 .49 .13 .30 .52.
TEST(NetworkSection7, AlphaDropoutPutsItsLeastWhereItDrops) {
  struct Row {
    float rate;
    double a, b, dropped;
  };
  const Row kRows[] = {{0.1f, 0.921285, 0.161971, -1.45774}, {0.2f, 0.878904, 0.309040, -1.23616}};
  const Tensor x = Tensor::of<float>({8}, {1, 2, -1, 0, 0.5f, 3, -2, 1});
  for (const Engine* engine : judged_engines()) {
    for (const auto& [rate, a, b, dropped] : kRows) {
      const std::vector<float> y = trained(*engine, ops::AlphaDropout{.rate = rate}, x);
      for (size_t i = 0; i < y.size(); ++i) {
        const bool is_dropped = Draws(7, "dropout:1", 3).uniform(i) < rate;
        EXPECT_NEAR(y[i], is_dropped ? dropped : a * x.number_at(static_cast<int64_t>(i)) + b, 1e-5) << engine->name();
      }
      EXPECT_NEAR(y[5], rate == 0.2f ? dropped : 3 * a + b, 1e-5) << "draw number 5 is .1258";
    }
  }
}

TEST(NetworkSection7, GaussianNoiseAddsAndGaussianDropoutMultiplies) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, -1, 0, 0.5f, 3});
  const Draws draws(7, "noise:1", 3);
  for (const Engine* engine : judged_engines()) {
    const std::vector<float> added = trained(*engine, ops::GaussianNoise{.stddev = {0.5f}}, x),
                             by_channel = trained(*engine, ops::GaussianNoise{.stddev = {0, 1, 2}}, x),
                             times = trained(*engine, ops::GaussianDropout{.rate = 0.2f}, x);
    for (size_t i = 0; i < 6; ++i) {
      const double number = x.number_at(static_cast<int64_t>(i)), z = draws.normal(i);
      EXPECT_NEAR(added[i], number + 0.5 * z, 1e-6) << engine->name();
      EXPECT_NEAR(by_channel[i], number + static_cast<double>(i % 3) * z, 1e-6) << engine->name();
      EXPECT_NEAR(times[i], number * (1 + z * 0.5), 1e-6) << engine->name();
    }
  }
}

TEST(NetworkSection7, NumbersItsDrawsInAnotherOrder) {
  const Tensor x(DType::Float32, {4, 2}), turned(DType::Float32, {2, 4});
  for (const Engine* engine : judged_engines()) {
    const std::vector<float> y = trained(*engine, ops::GaussianNoise{.stddev = {1}, .drawn_in = {1, 0}}, x),
                             straight = trained(*engine, ops::GaussianNoise{.stddev = {1}}, turned);
    for (size_t row = 0; row < 4; ++row) {
      for (size_t column = 0; column < 2; ++column) EXPECT_EQ(y[row * 2 + column], straight[column * 4 + row]);
    }
  }
}

TEST(NetworkSection7, DrawsNothingAtRateZero) {
  const Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  const Engine& engine = *judged_engines().front();
  const Op kNone[] = {ops::AlphaDropout{}, ops::GaussianDropout{}, ops::GaussianNoise{}};
  for (const Op& op : kNone) EXPECT_THAT(trained(engine, op, x), testing::ElementsAre(1, 2, 3)) << op.text();
}

}  // namespace
}  // namespace causeway::tests
