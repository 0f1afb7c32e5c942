#include "causeway/train/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "causeway/formats/native/native_file.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/train/sample_rows.h"

namespace causeway {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using namespace samples;  // NOLINT(google-build-using-namespace): the rows and networks of these tests

// A run with everything that goes from epoch to epoch: batch statistics, dropout, a plateau, gathered batches, groups,
// weights, clips and the best slots.
struct Going {
  const char* name;
  Optimizer optimizer;
  std::function<void(FitOptions&)> change = [](FitOptions&) {};

  friend void PrintTo(const Going& row, std::ostream* out) { *out << row.name; }
};

FitOptions everything() {
  FitOptions options{.seed = 11, .epochs = 6, .validation_share = 0.2, .accumulate = 3};
  options.schedule = ReduceOnPlateau{.factor = 0.5, .patience = 0, .threshold = 0.05};
  options.early_stopping = EarlyStopping{.patience = 9, .restore_best = true};
  options.clip_norm = 0.5;
  options.clip_value = 0.4;
  options.class_weight = {{1, 2}};
  options.groups = {{.paths = {"0"}, .learning_rate = 2e-3}, {.paths = {"4.bias"}, .weight_decay = 0.1}};
  return options;
}

Examples examples() {
  const Data data = some_rows(150);
  Tensor weights(DType::Float32, {150});
  for (size_t row = 0; row < 150; ++row) weights.mutable_values<float>()[row] = row % 3 == 0 ? 2.0f : 1.0f;
  return {.inputs = {{"input", data.x}}, .answers = {{"output", data.y}}, .weights = weights};
}

class TrainingSection7 : public testing::TestWithParam<Going> {};

TEST_P(TrainingSection7, ThreeAndThreeEpochsAreSixToTheBit) {
  const tests::TemporaryFolder folder;
  FitOptions options = everything();
  GetParam().change(options);
  options.checkpoint = CheckpointOptions{folder.file("whole.causeway")};
  SavedNetwork whole = some_network();
  const History at_once = fit(whole, examples(), GetParam().optimizer, options);

  SavedNetwork first = some_network();
  options.checkpoint = CheckpointOptions{folder.file("run.causeway")};
  options.epochs = 3;
  fit(first, examples(), GetParam().optimizer, options);
  // From other numbers, in one file, and on two threads.
  SavedNetwork second = some_network(99);
  options.epochs = 6;
  options.resume = options.checkpoint->file;
  options.threads = 2;
  const History resumed = fit(second, examples(), GetParam().optimizer, options);
  expect_same_slots(whole, second);
  EXPECT_EQ(at_once, resumed);
  // Slots, memory, history, judgement and the schedule's state.
  EXPECT_EQ(tests::bytes_of(folder.file("run.causeway")), tests::bytes_of(folder.file("whole.causeway")));
}

const Going kGoing[] = {
    {"sgd", Sgd{.learning_rate = 0.05, .momentum = 0.9}},
    {"sgd_of_keras", Sgd{.learning_rate = 0.05, .momentum = 0.9, .nesterov = true, .form = OptimizerForm::Keras}},
    {"adam", Adam{.amsgrad = true}, [](FitOptions& options) { options.accumulate = 1; }},
    {"adamw", AdamW{}},
    {"rmsprop", RmsProp{.momentum = 0.5, .centered = true}},
    {"nadam", NAdam{.weight_decay = 0.01, .decoupled_weight_decay = true}},
    {"adagrad", Adagrad{.lr_decay = 0.1, .form = OptimizerForm::Keras}},
    {"adamax", Adamax{}},
    {"lion", Lion{}},
    {"by_steps", NAdam{},
     [](FitOptions& options) {
       options.schedule = {LinearWarmup{.length = 3, .then = CosineRestarts{.length = 2, .factor = 2}}, Per::Step};
     }},
    {"no_shuffle", Adam{}, [](FitOptions& options) { options.shuffle = false; }},
    {"without_validation", Adam{},
     [](FitOptions& options) {
       options.validation_share.reset();
       options.early_stopping.reset();
       options.schedule = ExponentialDecay{.factor = 0.9};
     }},
};
INSTANTIATE_TEST_SUITE_P(Runs, TrainingSection7, testing::ValuesIn(kGoing),
                         [](const auto& row) { return std::string(row.param.name); });

// What a resume finds different from the run that was kept, a run of 2 epochs of everything(): lines behind the
// checkpoint's name.
struct Difference {
  const char* name;
  std::function<void(SavedNetwork&, Examples&, Optimizer&, FitOptions&)> change;
  std::vector<std::string> lines;

  friend void PrintTo(const Difference& row, std::ostream* out) { *out << row.name; }
};
std::function<void(SavedNetwork&, Examples&, Optimizer&, FitOptions&)> options(void (*change)(FitOptions&)) {
  return [change](SavedNetwork&, Examples&, Optimizer&, FitOptions& stated) { change(stated); };
}
std::function<void(SavedNetwork&, Examples&, Optimizer&, FitOptions&)> network(void (*change)(Network&)) {
  return [change](SavedNetwork& saved, Examples&, Optimizer&, FitOptions&) { change(saved.network); };
}

// The same numbers under another name.
class OtherEngine final : public Engine {
 public:
  std::string_view name() const override { return "other"; }
  std::string_view version() const override { return "7"; }
  std::string_view device() const override { return "a card"; }
  std::shared_ptr<const Executable> compile(const Graph& graph, Slots& slots, const Binding& binding,
                                            const CompileOptions& stated) const override {
    return cpu().compile(graph, slots, binding, stated);
  }
};
const OtherEngine kOtherEngine;

const Difference kDifferences[] = {
    {"seed", options([](FitOptions& o) { o.seed = 2; }), {", seed: it is 2 here, and 11 in the checkpoint."}},
    {"batch_size",
     options([](FitOptions& o) { o.batch_size = 16; }),
     {", batch_size: it is 16 here, and 32 in the checkpoint."}},
    {"accumulate",
     options([](FitOptions& o) { o.accumulate = 2; }),
     {", accumulate: it is 2 here, and 3 in the checkpoint."}},
    {"shuffle",
     options([](FitOptions& o) { o.shuffle = false; }),
     {", shuffle: it is false here, and true in the checkpoint."}},
    {"early_stopping",
     options([](FitOptions& o) { o.early_stopping->patience = 5; }),
     {", early_stopping.patience: it is 5 here, and 9 in the checkpoint."}},
    {"no_early_stopping",
     options([](FitOptions& o) { o.early_stopping.reset(); }),
     {", early_stopping: it is null here, and "
      "{\"patience\":9,\"min_delta\":0.0,\"restore_best\":true,\"start_from_epoch\":0} in the checkpoint."}},
    {"clips",
     options([](FitOptions& o) {
       o.clip_norm.reset();
       o.clip_value = 1;
     }),
     {", clip_norm: it is null here, and 0.5 in the checkpoint.",
      ", clip_value: it is 1.0 here, and 0.4 in the checkpoint."}},
    {"class_weight",
     options([](FitOptions& o) {
       o.class_weight = {{1, 3}};
     }),
     {", class_weight.1: it is 3.0 here, and 2.0 in the checkpoint.",
      ", rows: the arrays are others than the checkpoint's run had: inputs, answers, weights or their order."}},
    {"schedule",
     options([](FitOptions& o) { o.schedule = ReduceOnPlateau{.factor = 0.5, .patience = 1, .threshold = 0.05}; }),
     {", schedule.patience: it is 1 here, and 0 in the checkpoint."}},
    {"other_schedule",
     options([](FitOptions& o) { o.schedule = {}; }),
     {", schedule.kind: it is \"constant\" here, and \"reduce_on_plateau\" in the checkpoint.",
      ", schedule.factor: the checkpoint has it, and it is not here.",
      ", schedule.patience: the checkpoint has it, and it is not here.",
      ", schedule.threshold: the checkpoint has it, and it is not here.",
      ", schedule.minimum: the checkpoint has it, and it is not here."}},
    {"groups",
     options([](FitOptions& o) { o.groups.pop_back(); }),
     {", groups: it is [{\"paths\":[\"0\"],\"learning_rate\":0.002,\"weight_decay\":null}] here, and "
      "[{\"paths\":[\"0\"],\"learning_rate\":0.002,\"weight_decay\":null},"
      "{\"paths\":[\"4.bias\"],\"learning_rate\":null,\"weight_decay\":0.1}] in the checkpoint."}},
    {"validation_share",
     options([](FitOptions& o) { o.validation_share = 0.4; }),
     {", rows: the arrays are others than the checkpoint's run had: inputs, answers, weights or their order.",
      ", validation: the arrays are others than the checkpoint's run had: inputs, answers, weights or their "
      "order."}},
    {"engine",
     options([](FitOptions& o) { o.engine = &kOtherEngine; }),
     {", engine.name: it is \"other\" here, and \"cpu\" in the checkpoint.",
      ", engine.version: it is \"7\" here, and \"" + std::string(cpu().version()) + "\" in the checkpoint.",
      ", engine.device: it is \"a card\" here, and \"cpu\" in the checkpoint."}},
    {"epochs_that_are_done",
     options([](FitOptions& o) { o.epochs = 2; }),
     {": 2 epochs are asked for, and 2 are done already."}},
    {"optimizer_settings",
     [](SavedNetwork&, Examples&, Optimizer& optimizer, FitOptions&) {
       optimizer = AdamW{.learning_rate = 0.5, .form = OptimizerForm::Keras};
     },
     {", optimizer.learning_rate: it is 0.5 here, and 0.001 in the checkpoint.",
      ", optimizer.epsilon: it is 1e-07 here, and 1e-08 in the checkpoint.",
      ", optimizer.weight_decay: it is 0.004 here, and 0.01 in the checkpoint.",
      ", optimizer.form: it is \"keras\" here, and \"pytorch\" in the checkpoint."}},
    {"a_row",
     [](SavedNetwork&, Examples& rows, Optimizer&, FitOptions&) {
       rows.inputs.begin()->second.mutable_values<float>()[2] += 1;
     },
     {", rows: the arrays are others than the checkpoint's run had: inputs, answers, weights or their order."}},
    {"weights",
     [](SavedNetwork&, Examples& rows, Optimizer&, FitOptions&) { rows.weights.reset(); },
     {", sample_weight: it is false here, and true in the checkpoint.",
      ", rows: the arrays are others than the checkpoint's run had: inputs, answers, weights or their order.",
      ", validation: the arrays are others than the checkpoint's run had: inputs, answers, weights or their "
      "order."}},
    {"loss",
     [](SavedNetwork& saved, Examples&, Optimizer&, FitOptions&) {
       saved.losses.insert_or_assign("output", BinaryCrossentropy{.label_smoothing = 0.5});
     },
     {", losses.output.label_smoothing: it is 0.5 here, and 0.0 in the checkpoint."}},
    {"held",
     network([](Network& n) { n.slots().at("4.bias").held = true; }),
     {", slots.4.bias.held: it is true here, and false in the checkpoint."}},
    {"penalty",
     network([](Network& n) { n.slots().at("4.bias").penalty = {.l1 = 0.5f, .l2 = 0}; }),
     {", slots.4.bias.penalty: it is [0.5,0.0] here, and [0.0,0.0] in the checkpoint."}},
    {"bound",
     network([](Network& n) {
       n.slots().at("4.bias").max_norm = Bound{2, {0}};
     }),
     {", slots.4.bias.bound: it is {\"limit\":2.0,\"axes\":[0]} here, and null in the checkpoint."}},
};
class ResumeRefused : public testing::TestWithParam<Difference> {};

TEST_P(ResumeRefused, SaysEachDifferenceAndChangesNothing) {
  const tests::TemporaryFolder folder;
  FitOptions stated = everything();
  stated.epochs = 2;
  stated.checkpoint = CheckpointOptions{folder.file("run.causeway")};
  SavedNetwork saved = some_network();
  fit(saved, examples(), AdamW{}, stated);
  stated.checkpoint.reset();
  stated.resume = folder.file("run.causeway");
  stated.epochs = 4;
  SavedNetwork second = some_network(99);
  Examples rows = examples();
  Optimizer optimizer = AdamW{};
  GetParam().change(second, rows, optimizer, stated);
  const SavedNetwork before = second;
  std::vector<std::string> lines;
  for (const std::string& line : GetParam().lines) lines.push_back(stated.resume + line);
  EXPECT_THAT(tests::refusal_of([&] { fit(second, rows, optimizer, stated); }), ElementsAreArray(lines));
  expect_same_slots(second, before);
}
INSTANTIATE_TEST_SUITE_P(Differences, ResumeRefused, testing::ValuesIn(kDifferences),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Resume, RefusesAllDifferencesAtOnce) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("run.causeway");
  const Data data = some_rows(64);
  SavedNetwork saved = some_network();
  fit(saved, data.x, data.y, Adam{}, {.seed = 1, .epochs = 2, .checkpoint = CheckpointOptions{file}});
  SavedNetwork other{.network = Sequential({4}).dense(8).relu().dense(1).build(7)};
  other.losses = saved.losses;
  EXPECT_THAT(tests::refusal_of([&] {
                fit(other, data.x, data.y, Adam{}, {.seed = 2, .epochs = 2, .batch_size = 16, .resume = file});
              }),
              testing::IsSupersetOf(std::vector<std::string>{
                  file + ", seed: it is 2 here, and 1 in the checkpoint.",
                  file + ", batch_size: it is 16 here, and 32 in the checkpoint.",
                  file + ", slots.1.weight: the checkpoint has it, and it is not here.",
                  file + ", slots.2.weight: it is not in the checkpoint.",
                  file + ", network: it is another than the checkpoint's: its nodes or slots differ.",
                  file + ": 2 epochs are asked for, and 2 are done already.",
                  file + ", slot '@memory/2.weight/exp_avg': it is missing in the checkpoint."}));
}

TEST(Resume, RefusesAnotherActivationOverTheSameSlots) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("run.causeway");
  const Data data = some_rows(16);
  SavedNetwork saved = plain_network();
  fit(saved, data.x, data.y, Adam{}, {.checkpoint = CheckpointOptions{file}});
  SavedNetwork other{.network = Sequential({4}).dense(8).relu().dense(1).build(7)};
  other.losses = saved.losses;
  EXPECT_THAT(tests::refusal_of([&] { fit(other, data.x, data.y, Adam{}, {.epochs = 2, .resume = file}); }),
              ElementsAre(file + ", network: it is another than the checkpoint's: its nodes or slots differ."));
}

TEST(Resume, RefusesARunThatHadStoppedAndAFileWithoutARun) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("run.causeway");
  const Data data = some_rows(40);
  SavedNetwork saved = plain_network();
  FitOptions options{.epochs = 9, .validation_share = .5};
  options.early_stopping = EarlyStopping{.min_delta = 10};
  options.checkpoint = CheckpointOptions{file};
  EXPECT_EQ(fit(saved, data.x, data.y, Adam{}, options).stopping, Stopping::NoLongerImproving);
  options.resume = file;
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, data.x, data.y, Adam{}, options); }),
              ElementsAre(file + ": the run had stopped: it was no longer improving. To train it further, read the "
                                 "checkpoint as the model."));
  save(saved, folder.file("finished.causeway"));
  options.resume = folder.file("finished.causeway");
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, data.x, data.y, Adam{}, options); }),
              ElementsAre(testing::HasSubstr("it holds no training run. Resume from a file that --checkpoint wrote.")));
}

TEST(Checkpoint, IsWrittenAfterEachEpochOrAfterABetterOneAlone) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("run.causeway");
  const Data data = some_rows(40);
  for (const bool best_only : {false, true}) {
    SavedNetwork saved = plain_network();
    std::vector<int> written;
    std::filesystem::remove(file);
    FitOptions options{.epochs = 4, .validation_share = .5};
    // A rate that leads away: no epoch is better than the first.
    options.checkpoint = CheckpointOptions{.file = file, .best_only = best_only};
    options.on_epoch = [&](const EpochRecord& epoch) {
      const formats::native::NativeFile kept = formats::native::read_native(formats::ByteSource::open(file));
      written.push_back(static_cast<int>(kept.documents.at("training").find("epochs")->integer()));
      EXPECT_LE(written.back(), epoch.epoch);
    };
    const History history = fit(saved, data.x, data.y, Sgd{.learning_rate = 50}, options);
    std::vector<int> wanted;
    double best = std::numeric_limits<double>::infinity();
    for (const EpochRecord& epoch : history.epochs) {
      const bool better = *epoch.validation_loss < best;
      best = std::min(best, *epoch.validation_loss);
      wanted.push_back(better || !best_only ? epoch.epoch : wanted.back());
    }
    EXPECT_EQ(written, wanted) << best_only;
  }
}

TEST(Checkpoint, StandsWhenTheRunIsStopped) {
  const tests::TemporaryFolder folder;
  const Data data = some_rows(64);
  SavedNetwork saved = some_network();
  std::stop_source stop;
  FitOptions options{.seed = 1, .epochs = 3, .stop = stop.get_token()};
  options.checkpoint = CheckpointOptions{folder.file("run.causeway")};
  options.on_epoch = [&](const EpochRecord& epoch) {
    if (epoch.epoch == 2) stop.request_stop();
  };
  EXPECT_THROW(fit(saved, data.x, data.y, Adam{}, options), Cancelled);
  const auto kept = formats::native::read_native(formats::ByteSource::open(folder.file("run.causeway")));
  EXPECT_EQ(kept.documents.at("training").find("epochs")->integer(), 2);
  expect_same_slots(kept.saved, saved);
}

TEST(EarlyStopping, PutsTheBestSlotsBackWhetherOrNotItStopped) {
  const Data data = some_rows(60);
  for (const int patience : {1, 99}) {
    SavedNetwork saved = some_network(), best;
    FitOptions options{.seed = 3, .epochs = 8, .validation_share = .5};
    options.early_stopping = EarlyStopping{.patience = patience, .restore_best = true};
    double lowest = std::numeric_limits<double>::infinity();
    options.on_epoch = [&](const EpochRecord& epoch) {
      if (*epoch.validation_loss >= lowest) return;
      lowest = *epoch.validation_loss;
      best = saved;
    };
    fit(saved, data.x, data.y, Sgd{.learning_rate = 5}, options);
    expect_same_slots(saved, best);
  }
}

}  // namespace
}  // namespace causeway
