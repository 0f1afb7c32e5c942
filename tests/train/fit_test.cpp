#include "causeway/train/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "causeway/base/philox.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "causeway/train/early_stopping.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace causeway {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Rows whose answer is 1 where the first two features sum above 0.
struct Data {
  Tensor x, y;
};
Data some_rows(int64_t rows) {
  const Draws draws(1, "rows", 0);
  Data data{Tensor(DType::Float32, {rows, 4}), Tensor(DType::Float32, {rows, 1})};
  const std::span<float> x = data.x.mutable_values<float>(), y = data.y.mutable_values<float>();
  for (size_t i = 0; i < x.size(); ++i) x[i] = draws.uniform(i, -1, 1);
  for (size_t row = 0; row < y.size(); ++row) y[row] = x[4 * row] + x[4 * row + 1] > 0 ? 1.0f : 0.0f;
  return data;
}

SavedNetwork some_network(uint64_t seed = 7) {
  SavedNetwork saved{.network =
                         Sequential({4}).dense(8).batch_normalization().relu().dropout(0.25f).dense(1).build(seed)};
  saved.losses.emplace("output", BinaryCrossentropy{});
  return saved;
}

void expect_same_slots(const SavedNetwork& a, const SavedNetwork& b) {
  const Slots &left = a.network.slots(), &right = b.network.slots();
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) {
    EXPECT_TRUE(left[i].numbers.same_bits(right[i].numbers)) << left[i].path;
  }
}

TEST(Fit, LearnsWhatTheRowsSay) {
  SavedNetwork saved = some_network();
  const Data data = some_rows(256);
  const History history = fit(saved, data.x, data.y, Adam{.learning_rate = 0.01}, {.seed = 3, .epochs = 30});
  ASSERT_EQ(history.epochs.size(), 30u);
  EXPECT_LT(history.epochs.back().loss, 0.5 * history.epochs.front().loss);
  EXPECT_EQ(history.best_epoch, std::nullopt);
}

TEST(Fit, GivesTheSameBitsAtOneAndTwoThreads) {
  const Data data = some_rows(100);
  SavedNetwork one = some_network(), two = some_network();
  const History first = fit(one, data.x, data.y, Adam{}, {.seed = 3, .epochs = 3, .threads = 1});
  const History second = fit(two, data.x, data.y, Adam{}, {.seed = 3, .epochs = 3, .threads = 2});
  expect_same_slots(one, two);
  EXPECT_EQ(first, second);
}

// A batch is no larger than the rows are, whatever is asked for.
TEST(Fit, TakesAllRowsAtOnceWhereABatchWouldBeLarger) {
  const Data data = some_rows(50);
  SavedNetwork all = some_network(), more = some_network();
  FitOptions options{.seed = 3, .epochs = 2, .batch_size = 40, .validation_share = 0.2};
  fit(all, data.x, data.y, Adam{}, options);
  options.batch_size = std::numeric_limits<int64_t>::max();
  const History history = fit(more, data.x, data.y, Adam{}, options);
  expect_same_slots(all, more);
  EXPECT_GT(history.epochs.back().loss, 0);
}

TEST(Fit, LeavesACopyOfTheNetworkAsItWas) {
  SavedNetwork saved = some_network();
  const SavedNetwork before = saved;
  const Tensor weight = before.network.slots().at("0.weight").numbers.converted(DType::Float64);
  const Data data = some_rows(64);
  fit(saved, data.x, data.y, Sgd{.learning_rate = 0.1}, {.seed = 3});
  EXPECT_TRUE(before.network.slots().at("0.weight").numbers.converted(DType::Float64).same_bits(weight));
  EXPECT_FALSE(saved.network.slots().at("0.weight").numbers.converted(DType::Float64).same_bits(weight));
}

TEST(Fit, LeavesHeldLayersAlone) {
  SavedNetwork saved = some_network();
  saved.network.layer("0").hold();
  saved.network.layer("1").hold();
  const SavedNetwork before = saved;
  const Data data = some_rows(64);
  fit(saved, data.x, data.y, Adam{}, {.seed = 3});
  for (const char* path : {"0.weight", "0.bias", "1.weight", "1.running_mean", "1.running_var"}) {
    EXPECT_TRUE(saved.network.slots().at(path).numbers.same_bits(before.network.slots().at(path).numbers)) << path;
  }
  EXPECT_FALSE(saved.network.slots().at("4.weight").numbers.same_bits(before.network.slots().at("4.weight").numbers));
}

struct Resumed {
  const char* name;
  Optimizer optimizer;
  int accumulate;
};
class Resume : public testing::TestWithParam<Resumed> {};

TEST_P(Resume, ThreeAndThreeEpochsAreSixToTheBit) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("run.causeway");
  const Data data = some_rows(150);
  FitOptions options{.seed = 11, .epochs = 6, .validation_share = 0.2, .accumulate = GetParam().accumulate};
  options.early_stopping = EarlyStopping{.patience = 4, .restore_best = true};
  options.clip_norm = 0.5;
  SavedNetwork whole = some_network();
  const History at_once = fit(whole, data.x, data.y, GetParam().optimizer, options);

  SavedNetwork first = some_network();
  FitOptions half = options;
  half.epochs = 3;
  half.checkpoint = CheckpointOptions{file};
  fit(first, data.x, data.y, GetParam().optimizer, half);
  SavedNetwork second = some_network(99);
  FitOptions rest = options;
  rest.resume = file;
  rest.threads = 2;
  const History resumed = fit(second, data.x, data.y, GetParam().optimizer, rest);
  expect_same_slots(whole, second);
  EXPECT_EQ(at_once, resumed);
}

INSTANTIATE_TEST_SUITE_P(Optimizers, Resume,
                         testing::Values(Resumed{"sgd", Sgd{.learning_rate = 0.05, .momentum = 0.9}, 1},
                                         Resumed{"adam", Adam{}, 1}, Resumed{"adamw_gathered", AdamW{}, 3}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Fit, RefusesAResumeThatDiffersAndSaysEachDifference) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("run.causeway");
  const Data data = some_rows(64);
  SavedNetwork saved = some_network();
  fit(saved, data.x, data.y, Adam{}, {.seed = 1, .epochs = 2, .checkpoint = CheckpointOptions{file}});
  const SavedNetwork before = saved;
  EXPECT_THAT(tests::refusal_of([&] {
                fit(saved, data.x, data.y, Adam{.learning_rate = 0.5},
                    {.seed = 2, .epochs = 2, .batch_size = 16, .resume = file});
              }),
              ElementsAre(file + ", seed: it is 2 here, and 1 in the checkpoint.",
                          file + ", batch_size: it is 16 here, and 32 in the checkpoint.",
                          file + ", optimizer.learning_rate: it is 0.5 here, and 0.001 in the checkpoint.",
                          file + ": 2 epochs are asked for, and 2 are done already."));
  expect_same_slots(saved, before);
}

TEST(Fit, RefusesALossThatIsNotFiniteAndKeepsTheLastStep) {
  SavedNetwork saved{.network = Sequential({4}).dense(1).build(7)};
  saved.losses.emplace("output", MeanSquaredError{});
  const Data data = some_rows(64);
  SavedNetwork before;
  const auto explode = [&] {
    fit(saved, data.x, data.y, Sgd{.learning_rate = 1e30},
        {.seed = 1, .on_step = [&](const StepReport&) { before = saved; }});
  };
  EXPECT_THAT(tests::refusal_of(explode), ElementsAre(HasSubstr("epoch 1, batch 2: the loss is inf.")));
  expect_same_slots(saved, before);
}

TEST(Fit, StopsBetweenBatchesWhenAsked) {
  SavedNetwork saved = some_network();
  const Data data = some_rows(128);
  std::stop_source stop;
  int steps = 0;
  const auto stopping = [&](const StepReport&) {
    if (++steps == 2) stop.request_stop();
  };
  EXPECT_THROW(fit(saved, data.x, data.y, Adam{}, {.seed = 1, .on_step = stopping, .stop = stop.get_token()}),
               Cancelled);
  EXPECT_EQ(steps, 2);
}

TEST(Fit, RefusesWhatCannotBeTrained) {
  SavedNetwork saved = some_network();
  Data data = some_rows(65);
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, data.x, data.y, Adam{}, {.seed = 1, .batch_size = 32}); }),
              Contains(HasSubstr("BatchNormalization")));
  data.y.mutable_values<float>()[3] = 2;
  data.x.mutable_values<float>()[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, data.x, data.y, Adam{}, {.seed = 1, .batch_size = 13}); }),
              ElementsAre("training rows, input 'input': row 1 holds a number that is not finite.",
                          HasSubstr("row 3: column 0 is 2, and a chance lies in [0, 1].")));
}

struct Stops {
  const char* name;
  std::vector<double> losses;
  EarlyStopping rules;
  int run, best;
};
const Stops kStops[] = {
    {"patience_0", {1, .9, .95, .8}, {}, 3, 2},
    {"patience_1", {1, 1.1, .5}, {.patience = 1}, 2, 1},
    {"patience_2", {1, .9, .95, .91, .92, .5}, {.patience = 2}, 4, 2},
    {"min_delta", {1, .96, .93, .92, .91}, {.patience = 2, .min_delta = .05}, 5, 3},
    {"start", {1, .5, .9, .95, .97}, {.patience = 2, .start_from_epoch = 2}, 5, 3},
};
class EarlyStops : public testing::TestWithParam<Stops> {};

TEST_P(EarlyStops, AsKeras) {
  train::Judge judge(GetParam().rules);
  int run = 0;
  for (const double loss : GetParam().losses) {
    judge.sees(run++, loss);
    if (judge.state().stopped) break;
  }
  EXPECT_EQ(run, GetParam().run);
  EXPECT_EQ(judge.state().best_epoch, GetParam().best);
}
INSTANTIATE_TEST_SUITE_P(Table, EarlyStops, testing::ValuesIn(kStops),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace causeway
