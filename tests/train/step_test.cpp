#include "causeway/train/step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/answer/engines.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "causeway/nn/words.h"
#include "causeway/train/fit.h"
#include "tests/support/refusal.h"

namespace causeway {
namespace {

using testing::ElementsAre;

std::vector<float> numbers_of(const SavedNetwork& saved, std::string_view path) {
  const std::span<const float> values = saved.network.slots().at(path).numbers.values<float>();
  return {values.begin(), values.end()};
}

// o = x · w + b from w = 0, b = 0, and the answer -2: the squared error has the gradient 4 to o, so 4 x to w and 4 to b.
// A rate of 1 leaves the gradients' negatives in the slots.
SavedNetwork after_one_step(const FitOptions& options) {
  SavedNetwork saved{.network = Sequential({2}).dense(1).build(0)};
  saved.losses.emplace("output", MeanSquaredError{});
  saved.network.slots().at("0.weight").assign(Tensor(DType::Float32, {2, 1}));
  fit(saved, Tensor::of<float>({1, 2}, {.75f, 0}), Tensor::of<float>({1, 1}, {-2}), Sgd{.learning_rate = 1}, options);
  return saved;
}

class Clip : public testing::TestWithParam<const Engine*> {};

TEST_P(Clip, TrainingSection6CutsTheNormAsPyTorch) {
  const SavedNetwork one = after_one_step({.clip_norm = 1, .engine = GetParam()});
  EXPECT_THAT(numbers_of(one, "0.weight"), ElementsAre(-.599999905f, 0));
  EXPECT_THAT(numbers_of(one, "0.bias"), ElementsAre(-.799999833f));
  const SavedNetwork five = after_one_step({.clip_norm = 5, .engine = GetParam()});
  EXPECT_THAT(numbers_of(five, "0.weight"), ElementsAre(-2.99999928f, 0));
  EXPECT_THAT(numbers_of(five, "0.bias"), ElementsAre(-3.99999905f));
  const SavedNetwork six = after_one_step({.clip_norm = 6, .engine = GetParam()});
  EXPECT_THAT(numbers_of(six, "0.weight"), ElementsAre(-3, 0));
}

TEST_P(Clip, CutsEachEntryFirst) {
  double norm = 0;
  const auto keep = [&](const StepReport& report) { norm = report.norm; };
  const SavedNetwork by_value = after_one_step({.clip_value = 2, .on_step = keep, .engine = GetParam()});
  EXPECT_THAT(numbers_of(by_value, "0.weight"), ElementsAre(-2, 0));
  EXPECT_THAT(numbers_of(by_value, "0.bias"), ElementsAre(-2));
  EXPECT_EQ(norm, 5) << "the norm is of the gradients as they come";
  const SavedNetwork both = after_one_step({.clip_norm = 2, .clip_value = 2, .engine = GetParam()});
  EXPECT_NEAR(numbers_of(both, "0.weight")[0], -1.41421, 1e-5);
  EXPECT_NEAR(numbers_of(both, "0.bias")[0], -1.41421, 1e-5);
}

TEST_P(Clip, HidesNoGradientThatIsNotFinite) {
  // The loss is 1, and the gradient to the first weight 1e30 · 1e30.
  for (const int accumulate : {1, 2}) {
    SavedNetwork saved{.network = Sequential({1}).dense(1).dense(1).build(0)};
    saved.losses.emplace("output", MeanAbsoluteError{});
    saved.network.slots().at("0.weight").assign(Tensor::of<float>({1, 1}, {0}));
    saved.network.slots().at("1.weight").assign(Tensor::of<float>({1, 1}, {1e30f}));
    const Tensor x = Tensor::of<float>({2, 1}, {1e30f, 1e30f}), y = Tensor::of<float>({2, 1}, {1, 1});
    EXPECT_THAT(tests::refusal_of([&] {
                  fit(saved, x, y, Sgd{},
                      {.batch_size = 1, .clip_value = 1, .accumulate = accumulate, .engine = GetParam()});
                }),
                ElementsAre("epoch 1, batch 1: the norm of the gradients is inf. The network keeps what the step "
                            "before gave it."));
    EXPECT_THAT(numbers_of(saved, "0.weight"), ElementsAre(0));
    EXPECT_THAT(numbers_of(saved, "1.weight"), ElementsAre(1e30f));
  }
}
INSTANTIATE_TEST_SUITE_P(Engines, Clip, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& row) { return std::string(row.param->name()); });

class Rules : public testing::TestWithParam<const Engine*> {};

// A head without a loss learns nothing and decays by nothing, whether batches are gathered or not.
TEST_P(Rules, LeaveWhatNoLossReaches) {
  for (const int accumulate : {1, 2}) {
    SavedNetwork saved = network_of_words(R"({"input": [1], "layers": [
        {"kind": "dense", "name": "judged", "units": 1}, {"kind": "dense", "name": "other", "units": 1, "from": "input"}],
        "outputs": ["judged", "other"], "loss": {"judged": "mean_squared_error"}})",
                                          "words", {.seed = 3});
    const std::vector<float> judged = numbers_of(saved, "judged.weight"), other = numbers_of(saved, "other.weight");
    const Tensor x = Tensor::of<float>({4, 1}, {1, 2, 3, 4}), y = Tensor::of<float>({4, 1}, {1, 0, 1, 0});
    fit(saved, {.inputs = {{"input", x}}, .answers = {{"judged", y}}}, AdamW{.weight_decay = 0.5},
        {.epochs = 2, .batch_size = 2, .accumulate = accumulate, .engine = GetParam()});
    EXPECT_NE(numbers_of(saved, "judged.weight"), judged) << accumulate;
    EXPECT_EQ(numbers_of(saved, "other.weight"), other) << accumulate;
  }
}

TEST_P(Rules, NetworkSection12BoundsTheNormOfAUnitAfterTheStep) {
  SavedNetwork saved{.network = Sequential({2}).dense(2).build(0)};
  saved.losses.emplace("output", MeanSquaredError{});
  Slot& weight = saved.network.slots().at("0.weight");
  weight.assign(Tensor::of<float>({2, 2}, {3, 1, 4, 0}));
  weight.max_norm = Bound{3, {0}};
  SavedNetwork held = saved;
  std::vector<float> seen;
  // Nothing comes in, so no gradient reaches the weight.
  const Tensor x(DType::Float32, {1, 2}), y(DType::Float32, {1, 2});
  fit(saved, x, y, Sgd{},
      {.on_step = [&](const StepReport&) { seen = numbers_of(saved, "0.weight"); }, .engine = GetParam()});
  EXPECT_THAT(numbers_of(saved, "0.weight"),
              ElementsAre(testing::FloatNear(1.8f, 2e-7f), .99999988f, testing::FloatNear(2.4f, 3e-7f), 0));
  EXPECT_EQ(seen, numbers_of(saved, "0.weight")) << "on_step comes after the bounds";
  // A slot that is held keeps what it has.
  held.network.slots().at("0.weight").held = true;
  fit(held, x, y, Sgd{}, {.engine = GetParam()});
  EXPECT_THAT(numbers_of(held, "0.weight"), ElementsAre(3, 1, 4, 0));
}

// A batch normalization that is held, by its own words, by those of the network around it or afterwards, answers from
// its statistics in training too, and they stay.
TEST_P(Rules, NetworkSection12AHeldBatchNormalizationKeepsItsStatistics) {
  constexpr const char* kNorm = R"({"kind": "batch_normalization", "name": "norm", "momentum": 0.5)";
  const auto network = [&](const std::string& norm) {
    SavedNetwork saved = network_of_words(
        R"({"input": [1], "layers": [)" + norm + R"(, {"kind": "dense", "units": 1}], "loss": "mean_squared_error"})",
        "words", {.seed = 7});
    saved.network.slots().at("1.weight").assign(Tensor::of<float>({1, 1}, {1}));
    return saved;
  };
  const std::string inner = R"({"kind": "network", "name": "inner", "layers": [)";
  SavedNetwork afterwards = network(std::string(kNorm) + "}");
  afterwards.network.layer("norm").hold();
  const std::pair<SavedNetwork, std::string> all[] = {
      {network(std::string(kNorm) + R"(, "trainable": false})"), "norm"},
      {network(inner + kNorm + R"(}], "trainable": false})"), "inner.norm"},
      {network(inner + kNorm + R"(, "trainable": false}]})"), "inner.norm"},
      {afterwards, "norm"},
  };
  const Tensor x = Tensor::of<float>({4, 1}, {1, 2, 4, 9}), y(DType::Float32, {4, 1});
  for (auto [saved, path] : all) {
    SCOPED_TRACE(path);
    saved.network.slots().at(path + ".running_mean").assign(Tensor::of<float>({1}, {4}));
    const History history = fit(saved, x, y, Sgd{.learning_rate = 1e-12}, {.engine = GetParam()});
    EXPECT_THAT(numbers_of(saved, path + ".running_mean"), ElementsAre(4));
    EXPECT_THAT(numbers_of(saved, path + ".running_var"), ElementsAre(1));
    // The mean of (x - 4)^2 / (1 + epsilon).
    EXPECT_NEAR(history.epochs[0].loss, 38 / 4. / 1.001, 1e-5);
  }
}

TEST_P(Rules, TrainingSection1AddsPenaltiesUnscaledToBothLosses) {
  SavedNetwork saved{.network = Sequential({2}).dense(1).build(0)};
  saved.losses.emplace("output", MeanSquaredError{});
  Slot& weight = saved.network.slots().at("0.weight");
  weight.assign(Tensor::of<float>({2, 1}, {1, 1}));
  weight.penalty = {.l1 = .1f, .l2 = .01f};
  const Tensor x(DType::Float32, {3, 2}), y(DType::Float32, {3, 1});
  FitOptions options{.engine = GetParam()};
  options.validation = Examples{.inputs = {{"input", x}}, .answers = {{"output", y}}};
  SavedNetwork held = saved;
  const History history = fit(saved, x, y, Sgd{.learning_rate = 1e-9}, options);
  EXPECT_NEAR(history.epochs[0].loss, .22, 1e-7);
  EXPECT_NEAR(*history.epochs[0].validation_loss, .22, 1e-7);
  // The gradient is 0.1 sign(w) + 0.02 w.
  SavedNetwork stepped = held;
  fit(stepped, x, y, Sgd{.learning_rate = 1}, options);
  EXPECT_NEAR(numbers_of(stepped, "0.weight")[0], .88, 1e-6);
  held.network.slots().at("0.weight").held = true;
  EXPECT_EQ(fit(held, x, y, Sgd{}, options).epochs[0].loss, 0);
}
INSTANTIATE_TEST_SUITE_P(Engines, Rules, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& row) { return std::string(row.param->name()); });

struct Grouping {
  const char* name;
  std::vector<ParameterGroup> groups;
  // What becomes of ones that see no gradient, at a rate of 0.1 and a decay of 0.5 in the gradient: 1 - rate * decay.
  float first_weight, first_bias, second_weight;

  friend void PrintTo(const Grouping& row, std::ostream* out) { *out << row.name; }
};
const Grouping kGroupings[] = {
    {"none", {}, .95f, .95f, .95f},
    {"of_a_layer", {{.paths = {"0"}, .learning_rate = .2}}, .9f, .9f, .95f},
    {"of_a_slot", {{.paths = {"0.bias"}, .weight_decay = 0}}, .95f, 1, .95f},
    {"the_longest_wins",
     {{.paths = {"0.bias"}, .weight_decay = 0}, {.paths = {"0", "1"}, .learning_rate = .2}},
     .9f,
     1,
     .9f},
    {"the_longest_wins_in_any_order",
     {{.paths = {"0", "1"}, .learning_rate = .2}, {.paths = {"0.bias"}, .weight_decay = 0}},
     .9f,
     1,
     .9f},
    {"unsaid_is_the_optimizers", {{.paths = {"1"}}}, .95f, .95f, .95f},
};
class Groups : public testing::TestWithParam<Grouping> {};

TEST_P(Groups, StepByTheirOwnRateAndDecay) {
  SavedNetwork saved{.network = Sequential({1}).dense(1).dense(1).build(0)};
  saved.losses.emplace("output", MeanSquaredError{});
  for (const char* path : {"0.weight", "1.weight"})
    saved.network.slots().at(path).assign(Tensor::of<float>({1, 1}, {1}));
  saved.network.slots().at("0.bias").assign(Tensor::of<float>({1}, {1}));
  // x = 0 makes 1 of it all, which is the answer.
  fit(saved, Tensor(DType::Float32, {1, 1}), Tensor::of<float>({1, 1}, {1}),
      Sgd{.learning_rate = .1, .weight_decay = .5}, {.groups = GetParam().groups});
  EXPECT_FLOAT_EQ(numbers_of(saved, "0.weight")[0], GetParam().first_weight);
  EXPECT_FLOAT_EQ(numbers_of(saved, "0.bias")[0], GetParam().first_bias);
  EXPECT_FLOAT_EQ(numbers_of(saved, "1.weight")[0], GetParam().second_weight);
}
INSTANTIATE_TEST_SUITE_P(Rows, Groups, testing::ValuesIn(kGroupings),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Step, KeepsNoMemoryForWhatIsHeld) {
  SavedNetwork saved{.network = Sequential({1}).dense(1).dense(1).build(0)};
  saved.losses.emplace("output", MeanSquaredError{});
  saved.network.layer("0").hold();
  const train::Step step(saved, Adam{.amsgrad = true}, {});
  std::vector<std::string> memory;
  for (size_t i = 0; i < step.slots().size(); ++i) {
    if (step.slots()[i].path.starts_with("@memory/")) memory.push_back(step.slots()[i].path);
  }
  EXPECT_THAT(memory,
              ElementsAre("@memory/1.weight/exp_avg", "@memory/1.weight/exp_avg_sq", "@memory/1.weight/max_exp_avg_sq",
                          "@memory/1.bias/exp_avg", "@memory/1.bias/exp_avg_sq", "@memory/1.bias/max_exp_avg_sq"));
}

}  // namespace
}  // namespace causeway
