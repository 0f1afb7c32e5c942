#include "causeway/train/batch_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/nn/loss_list.h"
#include "causeway/nn/words.h"
#include "causeway/train/fit.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

using testing::ElementsAre;

// A network whose logits are its input.
SavedNetwork given_logits(const std::string& loss, int64_t width) {
  const std::string text = "{\"input\": [" + std::to_string(width) +
                           "], \"layers\": [{\"kind\": \"dense\", \"units\": " + std::to_string(width) +
                           "}], \"loss\": " + loss + "}";
  SavedNetwork saved = network_of_words(text, "NET");
  std::vector<float> ones(static_cast<size_t>(width * width));
  for (size_t i = 0; i < ones.size(); i += static_cast<size_t>(width) + 1) ones[i] = 1;
  saved.network.slots().at("0.weight").assign(Tensor::of<float>({width, width}, ones));
  return saved;
}

struct Epoch {
  double loss;
  std::optional<double> validation_loss;
};

// What an epoch of one batch counts before its step, and behind it.
Epoch epoch_of(SavedNetwork saved, const Examples& rows, FitOptions options = {}) {
  options.batch_size = 1000;
  const History history = fit(saved, rows, Sgd{.learning_rate = 1e-30}, options);
  return {history.epochs[0].loss, history.epochs[0].validation_loss};
}

const Tensor kLogits = Tensor::of<float>({3, 1}, {2, -1, .5f}), kAnswers = Tensor::of<float>({3, 1}, {1, 0, 1});
const Tensor kThree = Tensor::of<float>({2, 3}, {1, 2, .5f, 0, -1, 3});

Examples binary_rows(std::vector<float> weights = {}) {
  Examples rows{.inputs = {{"input", kLogits}}, .answers = {{"output", kAnswers}}};
  if (!weights.empty()) rows.weights = Tensor::of<float>({3}, weights);
  return rows;
}
Examples class_rows() {
  return {.inputs = {{"input", kThree}}, .answers = {{"output", Tensor::of<int64_t>({2}, {1, 2})}}};
}

struct Weighted {
  const char* name;
  const char* loss;
  Examples rows;
  ClassWeights class_weight;
  double value;
};

const double kRowLosses[] = {0.126928, 0.313262, 0.474077};

const Weighted kWeighted[] = {
    {"none", R"("binary_crossentropy")", binary_rows(), {}, 0.304756},
    {"rows", R"("binary_crossentropy")", binary_rows({1, 2, .5f}), {}, 0.330163},
    {"classes", R"("binary_crossentropy")", binary_rows(), {{1, 3}}, 0.705426},
    {"their_product",
     R"("binary_crossentropy")",
     binary_rows({1, 2, .5f}),
     {{1, 3}},
     (3 * kRowLosses[0] + 2 * kRowLosses[1] + 1.5 * kRowLosses[2]) / 3},
    {"a_row_that_weighs_nothing", R"("binary_crossentropy")", binary_rows({0, 1, 0}), {}, kRowLosses[1] / 3},
    {"class_numbers", R"("categorical_crossentropy")", class_rows(), {{0, 1}, {1, 2}, {2, 3}}, 0.563194},
    {"class_numbers_by_weights",
     R"({"kind": "sparse_categorical_crossentropy", "weight_reduction": "weights"})",
     class_rows(),
     {{0, 1}, {1, 2}, {2, 3}},
     0.225278},
};

class TrainingSection1Weights : public testing::TestWithParam<Weighted> {};

TEST_P(TrainingSection1Weights, MultiplyTheRowsLoss) {
  const Weighted& row = GetParam();
  const int64_t width = row.rows.inputs.at("input").lengths()[1];
  const Epoch epoch = epoch_of(given_logits(row.loss, width), row.rows, {.class_weight = row.class_weight});
  EXPECT_NEAR(epoch.loss, row.value, 2e-6);
}
INSTANTIATE_TEST_SUITE_P(Table, TrainingSection1Weights, testing::ValuesIn(kWeighted), tests::by_name);

TEST(TrainingSection1, PenaltiesAreAddedUnscaled) {
  SavedNetwork saved = network_of_words(R"({"input": [2], "layers": [{"kind": "dense", "units": 1, "kernel_initializer":
    "ones", "kernel_regularizer": {"l1": 0.1, "l2": 0.01}}], "loss": "mean_squared_error"})",
                                        "NET", {.seed = 1});
  const Examples rows{.inputs = {{"input", Tensor(DType::Float32, {3, 2})}},
                      .answers = {{"output", Tensor(DType::Float32, {3, 1})}}};
  const Epoch epoch = epoch_of(saved, rows, {.validation = rows});
  EXPECT_NEAR(epoch.loss, 0.22, 1e-7);
  EXPECT_NEAR(epoch.validation_loss.value(), 0.22, 1e-7);
}

TEST(TrainingSection1, ValidationWeighsWhatItsRowsBringAndNoClasses) {
  const SavedNetwork saved = given_logits(R"("binary_crossentropy")", 1);
  const FitOptions by_class{.validation = binary_rows(), .class_weight = {{1, 3}}};
  EXPECT_NEAR(epoch_of(saved, binary_rows(), by_class).validation_loss.value(), 0.304756, 2e-6);
  const FitOptions weighted{.validation = binary_rows({1, 2, .5f})};
  EXPECT_NEAR(epoch_of(saved, binary_rows(), weighted).validation_loss.value(), 0.330163, 2e-6);
  // The last row is a third of them.
  const Epoch shared = epoch_of(saved, binary_rows({1, 2, .5f}), {.validation_share = 0.3});
  EXPECT_NEAR(shared.loss, (kRowLosses[0] + 2 * kRowLosses[1]) / 2, 2e-6);
  EXPECT_NEAR(shared.validation_loss.value(), .5 * kRowLosses[2], 2e-6);
}

// One input, outputs `a`, `b` and `c`, of which the last has no loss.
SavedNetwork of_three_outputs() {
  return network_of_words(R"({"input": [2], "layers": [
      {"kind": "dense", "units": 2, "name": "shared"},
      {"kind": "dense", "units": 1, "name": "a", "from": "shared"},
      {"kind": "dense", "units": 1, "name": "b", "from": "shared", "activation": "sigmoid"},
      {"kind": "dense", "units": 1, "name": "c", "from": "shared"}],
    "outputs": ["a", "b.activation", "c"],
    "loss": {"a": "huber", "b.activation": {"kind": "binary_crossentropy", "weight": 0.5}}})",
                          "NET", {.seed = 4});
}

TEST(TrainingSection1, SeveralLossesAreAddedUpByTheirWeights) {
  SavedNetwork saved = of_three_outputs();
  const Tensor x = Tensor::of<float>({3, 2}, {1, -1, .5f, 2, -.25f, 0});
  const Tensor a = Tensor::of<float>({3, 1}, {3, 0, -1});
  const Examples rows{.inputs = {{"input", x}}, .answers = {{"a", a}, {"b.activation", kAnswers}}};
  const auto alone = [&](const std::string& output, const Tensor& answers) {
    SavedNetwork one = of_three_outputs();
    for (const std::string other : {"a", "b.activation"}) {
      if (other != output) one.losses.erase(other);
    }
    return epoch_of(one, {.inputs = {{"input", x}}, .answers = {{output, answers}}}).loss;
  };
  const double together = epoch_of(saved, rows).loss;
  EXPECT_NEAR(together, alone("a", a) + alone("b.activation", kAnswers), 1e-6);

  const Tensor before = saved.network.slots().at("c.weight").numbers.converted(DType::Float64);
  const Tensor shared = saved.network.slots().at("shared.weight").numbers.converted(DType::Float64);
  fit(saved, rows, Adam{.learning_rate = 0.1}, {.epochs = 3});
  EXPECT_TRUE(saved.network.slots().at("c.weight").numbers.converted(DType::Float64).same_bits(before));
  EXPECT_FALSE(saved.network.slots().at("shared.weight").numbers.converted(DType::Float64).same_bits(shared));
  EXPECT_EQ(predict(saved, NamedTensors{{"input", x}}, {}).size(), 3u);
}

TEST(TrainingSection1, AHingesAnswersAreTurnedByTheWholeTrainingSet) {
  const Tensor signs = Tensor::of<float>({3, 1}, {1, -1, 1});
  for (const bool shuffle : {false, true}) {
    SavedNetwork by_signs = given_logits(R"("hinge")", 1), by_marks = given_logits(R"("hinge")", 1);
    const FitOptions options{.seed = 2, .epochs = 3, .batch_size = 1, .shuffle = shuffle};
    const History one = fit(by_signs, kLogits, signs, Sgd{.learning_rate = 0.1}, options);
    const History other = fit(by_marks, kLogits, kAnswers, Sgd{.learning_rate = 0.1}, options);
    EXPECT_EQ(one, other);
  }
}

TEST(TrainingSection1, ARateThatIsNotPositiveHasNoFiniteLoss) {
  SavedNetwork saved = given_logits(R"("poisson")", 1);
  const auto train = [&] { fit(saved, kLogits, kAnswers, Sgd{}, {.batch_size = 3}); };
  EXPECT_THAT(tests::refusal_of(train), ElementsAre(testing::HasSubstr("epoch 1, batch 1: the loss is nan.")));
}

TEST(BatchLoss, RefusesSettingsThatALossCannotHave) {
  SavedNetwork saved = given_logits("null", 1);
  saved.losses.emplace("output", Loss(Huber{.delta = 0}));
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, kLogits, kAnswers, Sgd{}); }),
              ElementsAre("loss of 'output': 'delta' is 0, and is finite and above 0."));
}

struct ClassRefusal {
  const char* name;
  const char* loss;
  Examples rows;
  const char* line;
};
const ClassRefusal kClassRefusals[] = {
    {"numbers", R"("mean_squared_error")", binary_rows(),
     "class weights: they are for one output whose loss has classes, and here are 0. Hand each row its weight."},
    {"no_such_class", R"("categorical_crossentropy")", class_rows(),
     "class weights: class 3 has one, and there are 3 classes, from 0."},
    {"no_third_class", R"("binary_crossentropy")", binary_rows(),
     "class weights: class 3 has one, and there are 2 classes, from 0."},
};
class WeighedClasses : public testing::TestWithParam<ClassRefusal> {};

TEST_P(WeighedClasses, AreRefusedWhereTheyMeanNothing) {
  const ClassRefusal& row = GetParam();
  const int64_t width = row.rows.inputs.at("input").lengths()[1];
  EXPECT_THAT(tests::refusal_of([&] {
                epoch_of(given_logits(row.loss, width), row.rows, {.class_weight = {{3, 2}}});
              }),
              ElementsAre(row.line));
}
INSTANTIATE_TEST_SUITE_P(Table, WeighedClasses, testing::ValuesIn(kClassRefusals), tests::by_name);

TEST(ClassesWeighed, AreForOneOutput) {
  SavedNetwork saved = of_three_outputs();
  saved.losses.insert_or_assign("a", BinaryCrossentropy{});
  const Examples rows{.inputs = {{"input", Tensor(DType::Float32, {3, 2})}},
                      .answers = {{"a", kAnswers}, {"b.activation", kAnswers}}};
  EXPECT_THAT(
      tests::refusal_of([&] {
        fit(saved, rows, Adam{}, {.class_weight = {{1, 2}}});
      }),
      ElementsAre("class weights: they are for one output whose loss has classes, and here are 2. Hand each row its "
                  "weight."));
}

}  // namespace
}  // namespace causeway
