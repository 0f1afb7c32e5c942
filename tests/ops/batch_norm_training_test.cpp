#include <gtest/gtest.h>

#include "causeway/ops/batch_norm.h"
#include "tests/ops/case_graph.h"
#include "tests/ops/engines.h"
#include "tests/support/rows.h"

// What a training step makes of a batch normalization: its answers by the batch, and the running statistics it leaves.

namespace causeway::tests {
namespace {

struct Row {
  const char* name;
  float epsilon, momentum;
  ops::RunningVariance entering;
  std::vector<double> y;
  double running_mean, running_var;
};
const Row kRows[] = {
    {"unbiased", 1e-5f, 0.9f, ops::RunningVariance::Unbiased, {-0.973328, -0.648885, 0, 1.62221}, 0.4, 2.16667},
    {"biased", 1e-5f, 0.9f, ops::RunningVariance::Biased, {-0.973328, -0.648885, 0, 1.62221}, 0.4, 1.85},
    {"keras", 1e-3f, 0.99f, ops::RunningVariance::Biased, {-0.973277, -0.648852, 0, 1.62213}, 0.04, 1.085},
};

struct Statistics {
  CaseGraph made;

  Statistics(const Row& row, bool held) {
    made.slots.add(
        {.path = "running_mean", .role = Role::Measured, .held = held, .numbers = Tensor::of<float>({1}, {0})});
    made.slots.add(
        {.path = "running_var", .role = Role::Measured, .held = held, .numbers = Tensor::of<float>({1}, {1})});
    made.inputs.push_back(Tensor::of<float>({4, 1}, {1, 2, 4, 9}));
    const Op op =
        ops::BatchNorm{.axis = -1, .epsilon = row.epsilon, .momentum = row.momentum, .running_variance = row.entering};
    GraphBuilder builder(made.slots);
    const Value x = builder.input("x", Type::open(made.inputs[0]));
    const Value y = builder.add1(op, {x, {}, {}, builder.slot("running_mean"), builder.slot("running_var")});
    const std::optional<Values> training = op.training(builder, *y.node());
    EXPECT_EQ(training.has_value(), !held);
    builder.output("y", training ? training->at(0) : y);
    made.graph = std::move(builder).finish();
  }

  double number(std::string_view path) const { return made.slots.at(path).numbers.number_at(0); }
};

class BatchNormTraining : public testing::TestWithParam<Row> {};

TEST_P(BatchNormTraining, MovesTheRunningStatistics) {
  for (const Engine* engine : judged_engines()) {
    SCOPED_TRACE(engine->name());
    Statistics statistics(GetParam(), false);
    const Tensor y = run_on(*engine, statistics.made)[0];
    for (int64_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y.number_at(i), GetParam().y[static_cast<size_t>(i)], 1e-5);
    EXPECT_NEAR(statistics.number("running_mean"), GetParam().running_mean, 5e-6);
    EXPECT_NEAR(statistics.number("running_var"), GetParam().running_var, 5e-6);
  }
}

TEST_P(BatchNormTraining, LeavesHeldStatisticsAlone) {
  for (const Engine* engine : judged_engines()) {
    SCOPED_TRACE(engine->name());
    Statistics statistics(GetParam(), true);
    run_on(*engine, statistics.made);
    EXPECT_EQ(statistics.number("running_mean"), 0);
    EXPECT_EQ(statistics.number("running_var"), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(NetworkSection6, BatchNormTraining, testing::ValuesIn(kRows), by_name);

}  // namespace
}  // namespace causeway::tests
