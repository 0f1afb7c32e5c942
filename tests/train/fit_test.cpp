#include "causeway/train/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "causeway/train/early_stopping.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/train/sample_rows.h"

namespace causeway {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace samples;  // NOLINT(google-build-using-namespace): the rows and networks of these tests

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

TEST(Fit, KeepsRunningStatisticsOfTheLastFinishedStep) {
  SavedNetwork saved = some_network(), before;
  const Data data = some_rows(160);
  const auto explode = [&] {
    fit(saved, data.x, data.y, Sgd{.learning_rate = 1e25},
        {.seed = 1, .epochs = 5, .on_step = [&](const StepReport&) { before = saved; }});
  };
  EXPECT_THAT(tests::refusal_of(explode), ElementsAre(HasSubstr("epoch 1, batch ")));
  EXPECT_FALSE(before.network.slots().at("1.running_mean").numbers.same_bits(Tensor(DType::Float32, {8})));
  expect_same_slots(saved, before);
}

TEST(Fit, RefusesAValidationLossThatIsNotFinite) {
  SavedNetwork saved{.network = Sequential({4}).dense(1).build(7)};
  saved.losses.emplace("output", MeanSquaredError{});
  const Data data = some_rows(8);
  Data far = some_rows(4);
  std::ranges::fill(far.x.mutable_values<float>(), 3e38f);
  FitOptions options;
  options.validation = Examples{.inputs = {{"input", far.x}}, .answers = {{"output", far.y}}};
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, data.x, data.y, Sgd{}, options); }),
              ElementsAre("epoch 1: the validation loss is inf."));
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

TEST(Fit, MovesTheRateByEpochOrStepAndSaysTheFirstOfEachEpoch) {
  const Data data = some_rows(64);
  const auto rates = [&](const Schedule& schedule) {
    SavedNetwork saved = plain_network();
    const History history = fit(saved, data.x, data.y, Sgd{.learning_rate = .1},
                                {.seed = 1, .epochs = 3, .batch_size = 32, .schedule = schedule});
    std::vector<double> all;
    for (const EpochRecord& epoch : history.epochs) all.push_back(epoch.learning_rate);
    return all;
  };
  EXPECT_THAT(rates({}), ElementsAre(.1, .1, .1));
  EXPECT_THAT(rates(StepDecay{.every = 2, .factor = .5}), ElementsAre(.1, .1, .05));
  EXPECT_THAT(rates({StepDecay{.every = 2, .factor = .5}, Per::Step}), ElementsAre(.1, .05, .025));
}

TEST(Fit, StepsByTheRateOfTheScheduleAndGroupsInProportion) {
  const Data data = some_rows(64);
  FitOptions options{.epochs = 2, .shuffle = false, .schedule = StepDecay{.every = 1, .factor = .5}};
  options.groups = {{.paths = {"2"}, .learning_rate = .01}};
  SavedNetwork at_once = plain_network();
  fit(at_once, data.x, data.y, Sgd{.learning_rate = .1}, options);
  SavedNetwork by_hand = plain_network();
  FitOptions one{.shuffle = false, .groups = options.groups};
  fit(by_hand, data.x, data.y, Sgd{.learning_rate = .1}, one);
  one.groups[0].learning_rate = .005;
  fit(by_hand, data.x, data.y, Sgd{.learning_rate = .05}, one);
  expect_same_slots(at_once, by_hand);
}

// An engine that counts what it is asked to compile.
class Counting final : public Engine {
 public:
  std::string_view name() const override { return "counting"; }
  std::string_view version() const override { return "1"; }
  std::shared_ptr<const Executable> compile(const Graph& graph, Slots& slots, const Binding& binding,
                                            const CompileOptions& options) const override {
    ++compiled;
    return cpu().compile(graph, slots, binding, options);
  }
  mutable int compiled = 0;
};

TEST(Fit, CompilesNothingAnewForASchedule) {
  const Data data = some_rows(80);
  const Schedule schedules[] = {{},
                                {CosineDecay{.length = 9}, Per::Step},
                                LinearWarmup{.length = 2, .then = ExponentialDecay{.factor = .5}},
                                ReduceOnPlateau{.patience = 0}};
  for (const Schedule& schedule : schedules) {
    const Counting engine;
    SavedNetwork saved = plain_network();
    fit(saved, data.x, data.y, Adam{},
        {.seed = 1, .epochs = 4, .validation_share = .2, .schedule = schedule, .engine = &engine});
    // One step and one judgement: 64 rows are two whole batches, and 16 are judged at once.
    EXPECT_EQ(engine.compiled, 2) << schedule.name();
  }
}

TEST(Fit, ReducesTheRateOnAPlateau) {
  const Data data = some_rows(40);
  SavedNetwork saved = plain_network();
  // A rate so small that no loss is better than the first by a half.
  const History history =
      fit(saved, data.x, data.y, Sgd{.learning_rate = 1e-6},
          {.epochs = 5, .validation_share = .5, .schedule = ReduceOnPlateau{.patience = 1, .threshold = .5}});
  std::vector<double> rates;
  for (const EpochRecord& epoch : history.epochs) rates.push_back(epoch.learning_rate);
  EXPECT_THAT(rates, ElementsAre(1e-6, 1e-6, 1e-6, testing::DoubleEq(1e-7), testing::DoubleEq(1e-7)));
}

TEST(Fit, StepsOnGatheredBatchesAsOnOneOfAllTheirRows) {
  const Data data = some_rows(80);
  std::vector<StepReport> reports;
  const auto keep = [&](const StepReport& report) { reports.push_back(report); };
  SavedNetwork whole = plain_network(), gathered = plain_network();
  fit(whole, data.x, data.y, Sgd{.learning_rate = .5}, {.seed = 2, .epochs = 2, .batch_size = 80});
  // 32, 32 and 16 rows: the short batch weighs half.
  fit(gathered, data.x, data.y, Sgd{.learning_rate = .5},
      {.seed = 2, .epochs = 2, .batch_size = 32, .accumulate = 3, .on_step = keep});
  expect_near_slots(whole, gathered, 1e-7);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].batch, 3);
  EXPECT_EQ(reports[0].batches, 3);
  EXPECT_GT(reports[0].norm, 0);
}

TEST(Fit, StepsOnABatchGatheredAloneByItsOwnGradient) {
  const Data data = some_rows(31);
  SavedNetwork alone = plain_network(), gathered = plain_network();
  fit(alone, data.x, data.y, Adam{}, {.seed = 2, .epochs = 3});
  fit(gathered, data.x, data.y, Adam{}, {.seed = 2, .epochs = 3, .accumulate = 4});
  expect_same_slots(alone, gathered);
}

TEST(Fit, WeighsRowsByTheirWeightAndTheirClass) {
  const Data data = some_rows(24);
  Tensor weights(DType::Float32, {24});
  for (size_t row = 0; row < 24; ++row)
    weights.mutable_values<float>()[row] =
        (row % 2 == 0 ? 1.0f : 0.5f) * (data.y.values<float>()[row] == 1 ? 3.0f : 1.0f);
  const auto trained = [&](const std::optional<Tensor>& stated, const ClassWeights& classes) {
    SavedNetwork saved = plain_network();
    fit(saved, Examples{.inputs = {{"input", data.x}}, .answers = {{"output", data.y}}, .weights = stated}, Adam{},
        {.seed = 2, .epochs = 2, .class_weight = classes});
    return saved;
  };
  Tensor halves(DType::Float32, {24, 1});
  for (size_t row = 0; row < 24; ++row) halves.mutable_values<float>()[row] = row % 2 == 0 ? 1.0f : 0.5f;
  expect_same_slots(trained(weights, {}), trained(halves, {{1, 3}}));
}

TEST(Fit, TakesTheLastRowsForValidationBeforeAnyShuffling) {
  const Data data = some_rows(10);
  // The last 10 - floor(10 * (1 - 0.25)) = 3 rows are judged; a network that learns nothing judges them the same.
  const auto rows = [&](int64_t from, int64_t count) {
    Data part{Tensor(DType::Float32, {count, 4}), Tensor(DType::Float32, {count, 1})};
    std::copy_n(data.x.values<float>().begin() + from * 4, count * 4, part.x.mutable_values<float>().begin());
    std::copy_n(data.y.values<float>().begin() + from, count, part.y.mutable_values<float>().begin());
    return part;
  };
  const Data train = rows(0, 7), judged = rows(7, 3);
  SavedNetwork by_share = plain_network(), by_rows = plain_network();
  const History share = fit(by_share, data.x, data.y, Adam{}, {.seed = 4, .epochs = 2, .validation_share = .25});
  FitOptions options{.seed = 4, .epochs = 2};
  options.validation = Examples{.inputs = {{"input", judged.x}}, .answers = {{"output", judged.y}}};
  EXPECT_EQ(fit(by_rows, train.x, train.y, Adam{}, options), share);
  expect_same_slots(by_share, by_rows);
}

TEST(Fit, RefusesEverythingThatIsWrongBeforeTheFirstBatchAtOnce) {
  SavedNetwork saved = plain_network();
  const SavedNetwork before = saved;
  Data data = some_rows(8);
  data.y.mutable_values<float>()[3] = 2;
  FitOptions options{.seed = uint64_t{1} << 53, .epochs = 0, .batch_size = 0, .schedule = StepDecay{}};
  options.early_stopping = EarlyStopping{.patience = -1};
  options.clip_norm = 0;
  options.clip_value = -1;
  options.accumulate = 0;
  options.class_weight = {{1, -1}};
  options.groups = {{.paths = {"9"}, .learning_rate = 0}};
  options.checkpoint = CheckpointOptions{.file = "never", .best_only = true};
  EXPECT_THAT(
      tests::refusal_of([&] { fit(saved, data.x, data.y, RmsProp{.learning_rate = .1, .rho = 1}, options); }),
      ElementsAre(
          "options: 'seed' is 9007199254740992, and lies below 2^53.",
          "options: 'epochs' is 0, and 1 to 1000000 are read.", "options: 'batch_size' is 0, and at least 1 is read.",
          "options: 'accumulate' is 0, and 1 to 1000000 are read.",
          "options: 'clip_norm' is 0, and is finite and above 0.",
          "options: 'clip_value' is -1, and is finite and above 0.",
          "options: 'patience' is -1, and 0 to 1000000 are read.",
          "options: 'class_weight' is -1 for class 1, and is finite and at least 0.",
          "options: early stopping judges by a validation loss, and no validation rows are stated.",
          "options: 'best_only' judges by a validation loss, and no validation rows are stated.",
          "schedule step_decay: 'every' is 0, and it is at least 1.", HasSubstr("row 3: column 0 is 2"),
          "optimizer rmsprop: 'rho' is 1, and it lies in [0, 1).",
          "group 0: 'learning_rate' is 0, and a rate is a normal float32 above 0. Hold layers that do not learn.",
          "group 0: no layer or slot of this network has the path '9'."));
  expect_same_slots(saved, before);
}

struct Refusal {
  const char* name;
  std::function<void(SavedNetwork&, Examples&, FitOptions&)> change;
  std::vector<std::string> lines;

  friend void PrintTo(const Refusal& row, std::ostream* out) { *out << row.name; }
};
const Refusal kRefusals[] = {
    {"no_rows",
     [](SavedNetwork&, Examples& rows, FitOptions&) {
       rows.inputs = {{"input", Tensor(DType::Float32, {0, 4})}};
       rows.answers = {{"output", Tensor(DType::Float32, {0, 1})}};
     },
     {"training rows, rows: there are none."}},
    {"other_counts",
     [](SavedNetwork&, Examples& rows, FitOptions&) {
       rows.answers = {{"output", Tensor(DType::Float32, {7, 1})}};
     },
     {"training rows, answers of 'output': it has 7 rows, and the first array has 8.",
      "training rows, answers of 'output': the answers are [7, 1], and the network gives [8, 1]."}},
    {"nothing_learns",
     [](SavedNetwork& saved, Examples&, FitOptions&) {
       saved.network.layer("0").hold();
       saved.network.layer("2").hold();
     },
     {"network: no slot of it learns: every one is held, measured or constant. Release a layer to train it."}},
    {"kept_in_half",
     [](SavedNetwork& saved, Examples&, FitOptions&) { saved.kept_in_half = true; },
     {"network: its file keeps its numbers in half precision, and they are not trained as they were rounded. Widen it "
      "with causeway convert IN OUT.causeway, and train that."}},
    {"two_weights_a_row",
     [](SavedNetwork&, Examples& rows, FitOptions&) {
       rows.weights = Tensor(DType::Float32, {8, 2});
     },
     {"training rows, weights: they are [8, 2], and each row has one."}},
    {"weight_below_nought",
     [](SavedNetwork&, Examples& rows, FitOptions&) {
       rows.weights = Tensor::of<float>({8}, {1, 1, -1, 1, 1, 1, 1, 1});
     },
     {"training rows, weights: that of row 2 is -1, and a weight is finite and at least 0."}},
    {"share_that_leaves_nothing",
     [](SavedNetwork&, Examples&, FitOptions& options) { options.validation_share = .95; },
     {"options: a validation share of 0.95 of 8 rows leaves a part empty."}},
    {"share_past_one",
     [](SavedNetwork&, Examples&, FitOptions& options) { options.validation_share = 1; },
     {"options: the validation share is 1, and lies between 0 and 1."}},
    {"plateau_without_validation",
     [](SavedNetwork&, Examples&, FitOptions& options) { options.schedule = ReduceOnPlateau{}; },
     {"options: the schedule reduce_on_plateau judges by a validation loss, and no validation rows are stated."}},
    {"path_of_two_groups",
     [](SavedNetwork&, Examples&, FitOptions& options) {
       options.groups = {{.paths = {"0"}}, {.paths = {"0"}}};
     },
     {"group 1: the path '0' is stated twice."}},
    {"class_that_there_is_not",
     [](SavedNetwork&, Examples&, FitOptions& options) {
       options.class_weight = {{2, 1}};
     },
     {"class weights: class 2 has one, and there are 2 classes, from 0."}},
    {"rate_that_grows_past_all",
     [](SavedNetwork&, Examples&, FitOptions& options) {
       options.schedule = ExponentialDecay{.factor = 1e300};
       options.epochs = 3;
     },
     {"epoch 3: the schedule exponential_decay leads to a rate of inf."}},
};
class FitRefused : public testing::TestWithParam<Refusal> {};

TEST_P(FitRefused, SaysWhy) {
  SavedNetwork saved = plain_network();
  const Data data = some_rows(8);
  Examples rows{.inputs = {{"input", data.x}}, .answers = {{"output", data.y}}};
  FitOptions options{.seed = 1};
  GetParam().change(saved, rows, options);
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, rows, Sgd{.learning_rate = 1e-30}, options); }),
              testing::ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Rows, FitRefused, testing::ValuesIn(kRefusals),
                         [](const auto& row) { return std::string(row.param.name); });

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
    {"patience_0_is_1", {1, 1.1, .5}, {}, 2, 1},
};
class TrainingSection6 : public testing::TestWithParam<Stops> {};

TEST_P(TrainingSection6, StopsEarlyAsKeras) {
  train::Judge judge(GetParam().rules);
  int run = 0;
  for (const double loss : GetParam().losses) {
    judge.sees(run++, loss);
    if (judge.state().stopped) break;
  }
  EXPECT_EQ(run, GetParam().run);
  EXPECT_EQ(judge.state().best_epoch, GetParam().best);
}
INSTANTIATE_TEST_SUITE_P(Rows, TrainingSection6, testing::ValuesIn(kStops),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace causeway
