#include <gmock/gmock.h>

#include <cstring>

#include "causeway/nn/loss_list.h"
#include "tests/formats/keras/asked.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::keras {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::by_name;

std::vector<std::string> paths_of(const Network& network) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < network.slots().size(); ++i) paths.push_back(network.slots()[i].path);
  return paths;
}

TEST(KerasModel, SlotsLieUnderTheLayersNames) {
  const SavedNetwork saved = read("keras/rows.keras");
  EXPECT_THAT(paths_of(saved.network), ElementsAre("first.weight", "first.bias", "second.weight", "second.bias"));
  EXPECT_EQ(saved.network.inputs()[0].name, "x");
  EXPECT_EQ(saved.network.inputs()[0].axes, "NC");
  EXPECT_EQ(saved.network.outputs()[0].name, "second");
  EXPECT_EQ(saved.producer, "Keras 3.15.1");
  EXPECT_THAT(saved.network.slots().at("first.weight").numbers.values<float>(),
              ElementsAre(0.1f, -0.4f, 0.2f, 0.5f, 0.3f, -0.6f));
  EXPECT_TRUE(saved.losses.empty());
}

TEST(KerasModel, NestedLayersLieUnderTheirModelAndShareTheirSlots) {
  const SavedNetwork saved = read("keras/nested.keras");
  EXPECT_THAT(paths_of(saved.network),
              ElementsAre("shared.weight", "shared.bias", "inner.dense.weight", "inner.dense.bias",
                          "inner.dense_1.weight", "inner.dense_1.bias", "total.weight", "total.bias"));
  EXPECT_EQ(saved.network.outputs()[0].name, "total");
  EXPECT_EQ(saved.network.outputs()[1].name, "seen");
}

TEST(KerasModel, DoorsStandInTheModelsOrder) {
  const SavedNetwork saved = read("keras/door_order.keras");
  EXPECT_EQ(saved.network.inputs()[0].name, "late");
  EXPECT_EQ(saved.network.inputs()[1].name, "early");
  EXPECT_EQ(saved.network.outputs()[0].name, "both");
  EXPECT_EQ(saved.network.outputs()[1].name, "kept");
}

TEST(KerasModel, BothFilesGiveTheSameBits) {
  for (const char* name :
       {"titanic/dense", "titanic/batchnorm", "keras/nested", "keras/norms", "convolution/keras_image"}) {
    const SavedNetwork archive = read(std::string(name) + ".keras"), h5 = read(std::string(name) + ".h5");
    ASSERT_EQ(paths_of(archive.network), paths_of(h5.network)) << name;
    for (size_t i = 0; i < archive.network.slots().size(); ++i) {
      const Slot& slot = archive.network.slots()[i];
      EXPECT_TRUE(slot.numbers.same_bits(h5.network.slots()[i].numbers)) << name << " " << slot.path;
    }
  }
}

TEST(KerasModel, RulesOfTrainingAreRead) {
  for (const char* file : {"keras/rules.keras", "keras/rules.h5"}) {
    const SavedNetwork saved = read(file);
    const Slots& slots = saved.network.slots();
    EXPECT_EQ(slots.at("penalised.weight").penalty, (Penalty{0.1f, 0.2f}));
    EXPECT_EQ(slots.at("penalised.bias").penalty, (Penalty{0, 0.01f}));
    EXPECT_EQ(slots.at("bound.weight").max_norm, (Bound{2, {0}}));
    EXPECT_FALSE(slots.at("bound.bias").max_norm);
    EXPECT_TRUE(slots.at("held.weight").held && slots.at("held.bias").held);
    EXPECT_FALSE(slots.at("bound.weight").held);
  }
}

TEST(KerasModel, RulesReachIntoRecurrentAndWrappedLayers) {
  for (const char* file : {"keras/recurrent_rules.keras", "keras/recurrent_rules.h5"}) {
    const SavedNetwork saved = read(file);
    const Slots& slots = saved.network.slots();
    EXPECT_EQ(slots.at("ruled.weight_ih_l0").penalty, (Penalty{0, 0.25f}));
    EXPECT_EQ(slots.at("ruled.weight_hh_l0").max_norm, (Bound{1.5f, {0}}));
    EXPECT_EQ(slots.at("ruled.bias_ih_l0").max_norm, (Bound{3, {0}}));
    EXPECT_EQ(slots.at("cells.cells.1.bias_ih_l0").penalty, (Penalty{0.01f, 0}));
    EXPECT_EQ(slots.at("steps.weight").penalty, (Penalty{0.5f, 0}));
    std::vector<std::string> held;
    for (size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].held) held.push_back(slots[i].path);
    }
    EXPECT_THAT(held, ElementsAre("held.weight_ih_l0", "held.weight_hh_l0", "held.bias_ih_l0", "held.bias_hh_l0",
                                  "held.weight_ih_l0_reverse", "held.weight_hh_l0_reverse", "held.bias_ih_l0_reverse",
                                  "held.bias_hh_l0_reverse", "steps.weight", "steps.bias", "cells.cells.1.weight_ih_l0",
                                  "cells.cells.1.weight_hh_l0", "cells.cells.1.bias_ih_l0"))
        << file;
  }
}

TEST(KerasModel, SaysWhereAMaskEnds) {
  EXPECT_THAT(read("keras/mask_dropped.keras").notes,
              Contains("layer 'flatten' (Flatten) hands no mask on, as in Keras: masked steps count behind it."));
  EXPECT_THAT(read("keras/mask_recurrent.keras").notes, testing::Not(Contains(HasSubstr("hands no mask on"))));
  EXPECT_THAT(read("keras/exact_masked_steps.keras").notes,
              Contains(HasSubstr("carries a mask of its steps: Keras leaves masked steps out of the loss")));
  EXPECT_THAT(read("keras/exact_masked.keras").notes, testing::Not(Contains(HasSubstr("carries a mask"))));
}

TEST(KerasModel, AnIdOutsideItsTableIsRefusedWhenAsked) {
  const SavedNetwork saved = read("keras/exact_masked.keras");
  const std::string name = saved.network.inputs()[0].name;
  const Tensor ids = Tensor::of<int32_t>({2, 4}, {1, 2, 3, 0, 0, 1, 5, -1});
  EXPECT_THAT(tests::refusal_of([&] { ask(saved, {{name, ids}}); }), ElementsAre(HasSubstr("5")));
}

struct ExactRow {
  const char* name;
  std::vector<double> right;
};
void PrintTo(const ExactRow& row, std::ostream* out) { *out << row.name; }

const ExactRow kExact[] = {
    {"exact_attention", {4.70187, 5.70187, 4.96272, 5.96272}},
    {"exact_gru_after", {0.8410076}},
    {"exact_gru_before", {0.8488468}},
    {"exact_lstm", {0.670064}},
    {"exact_masked", {0.4082982, 0.4082982}},
    {"exact_masked_steps", {0.3336926, 0.3336926, 0.4082982, 0.4082982}},
};
class KerasSection8 : public testing::TestWithParam<ExactRow> {};

TEST_P(KerasSection8, AnswersTheNumbersWorkedByHand) {
  const SavedNetwork saved = read(std::string("keras/") + GetParam().name + ".keras");
  const NamedTensors given = answers_of(std::string("keras/") + GetParam().name + ".answers.safetensors");
  NamedTensors inputs;
  for (size_t i = 0; i < saved.network.inputs().size(); ++i) {
    const std::string& name = saved.network.inputs()[i].name;
    inputs[name] = found(given, "x", i, name);
  }
  const Tensor made = ask(saved, inputs).begin()->second;
  ASSERT_EQ(made.size(), static_cast<int64_t>(GetParam().right.size()));
  for (size_t i = 0; i < GetParam().right.size(); ++i) {
    EXPECT_NEAR(made.number_at(static_cast<int64_t>(i)), GetParam().right[i], 5e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, KerasSection8, testing::ValuesIn(kExact), by_name);

struct LossRow {
  const char* name;
  const char* output;
  Loss loss;
  bool is_lifted;
};
void PrintTo(const LossRow& row, std::ostream* out) { *out << row.name; }

const LossRow kLosses[] = {
    {"loss_binary_chances.keras", "end", BinaryCrossentropy{.label_smoothing = 0.1f}, true},
    {"loss_binary_chances.h5", "end", BinaryCrossentropy{.label_smoothing = 0.1f}, true},
    {"loss_binary_logits.keras", "end", BinaryCrossentropy{}, false},
    {"loss_categorical_chances.keras", "soft", CategoricalCrossentropy{}, true},
    {"loss_categorical_logits.keras", "end", CategoricalCrossentropy{}, false},
    {"loss_categorical_logits.h5", "end", CategoricalCrossentropy{}, false},
    {"loss_sparse.keras", "end", SparseCategoricalCrossentropy{}, true},
    {"loss_mse.keras", "end", MeanSquaredError{}, false},
    {"loss_mae.keras", "end", MeanAbsoluteError{}, false},
    {"loss_huber.keras", "end", Huber{}, false},
    {"loss_poisson.keras", "end", Poisson{}, false},
    {"loss_hinge.keras", "end", Hinge{}, false},
    {"loss_focal.keras", "end", BinaryFocalCrossentropy{.gamma = 1.5f, .apply_class_balancing = true}, true},
    {"loss_focal_logits.keras", "end", BinaryFocalCrossentropy{.alpha = 0.4f, .label_smoothing = 0.1f}, false},
};
class KerasLoss : public testing::TestWithParam<LossRow> {};

TEST_P(KerasLoss, IsReadAndTakesItsActivation) {
  const SavedNetwork saved = read(std::string("keras/") + GetParam().name);
  ASSERT_EQ(saved.losses.count(GetParam().output), 1u);
  EXPECT_TRUE(saved.losses.at(GetParam().output) == GetParam().loss);
  bool is_noted = false;
  for (const std::string& note : saved.notes) is_noted = is_noted || note.find("part of the loss") != std::string::npos;
  EXPECT_EQ(is_noted, GetParam().is_lifted);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, KerasLoss, testing::ValuesIn(kLosses), by_name);

TEST(KerasModel, ReadsTheLossesOfSeveralOutputsAndTheirWeights) {
  const Loss huber(Huber{}, {.weight = 0.25f}), squared(MeanSquaredError{}, {.weight = 0.5f});
  for (const auto& [file, amount] :
       {std::pair("keras/loss_two_outputs.keras", squared), std::pair("keras/loss_two_outputs.h5", squared),
        std::pair("keras/loss_weights_by_name.keras", huber)}) {
    const SavedNetwork saved = read(file);
    ASSERT_EQ(saved.losses.size(), 2u) << file;
    EXPECT_TRUE(saved.losses.at("chance") == Loss(BinaryCrossentropy{})) << file;
    EXPECT_TRUE(saved.losses.at("amount") == amount) << file;
  }
}

TEST(KerasModel, NotesADeltaThatKerasDoesNotWrite) {
  EXPECT_THAT(read("keras/loss_huber.keras").notes,
              testing::Contains(testing::HasSubstr("no delta of its huber loss")));
}

TEST(KerasModel, AKerasBeforeThreeMeansAnotherHardSigmoid) {
  const Tensor x = Tensor::of<float>({2, 1}, {1, -2.5f});
  for (const auto& [file, first, second] : {std::tuple{"keras/keras_2_hard_sigmoid.h5", 0.7, 0.0},
                                            std::tuple{"keras/hard_sigmoid.keras", 0.6666667, 0.0833333}}) {
    const SavedNetwork saved = read(file);
    const NamedTensors made = ask(saved, {{saved.network.inputs()[0].name, x}});
    EXPECT_NEAR(made.begin()->second.number_at(0), first, 1e-6) << file;
    EXPECT_NEAR(made.begin()->second.number_at(1), second, 1e-6) << file;
  }
  const SavedNetwork cell = read("keras/keras_2_cell_hard_sigmoid.h5");
  const Tensor steps = Tensor::of<float>({2, 1, 1}, {1, -2.5f});
  const Tensor made = ask(cell, {{cell.network.inputs()[0].name, steps}}).begin()->second;
  EXPECT_NEAR(made.number_at(0), 0.7, 1e-6);
  EXPECT_NEAR(made.number_at(1), 0.0, 1e-6);
}

TEST(KerasModel, OpenLengthsAreBoundWhereAsked) {
  EXPECT_EQ(read("keras/open_length.keras").network.inputs()[0].value.shape().text(), "[N, L, 3]");
  ReadOptions options;
  options.dims["L"] = 7;
  EXPECT_EQ(read("keras/open_length.keras", options).network.inputs()[0].value.shape().text(), "[N, 7, 3]");
}

int64_t ulps_apart(float a, float b) {
  int32_t x = 0, y = 0;
  std::memcpy(&x, &a, sizeof(x)), std::memcpy(&y, &b, sizeof(y));
  return std::abs(int64_t{x} - int64_t{y});  // chances are positive, so their bits count upwards
}

// What is apart is Keras's rounding as much as ours: its sums are in float32 too, in another order.
TEST(KerasModel, TitanicsChancesAreKerass) {
  struct Model {
    const char *name, *answers;
    int64_t most_ulps;
  };
  constexpr Model kModels[] = {{"titanic/dense", "keras_chances", 5},
                               {"titanic/dense_from_torch", "dense_from_torch_keras_chances", 12},
                               {"titanic/batchnorm", "batchnorm_keras_chances", 12}};
  const Tensor rows = answers_of("titanic/rows.safetensors").at("test_x");
  const NamedTensors expected = answers_of("titanic/expected.safetensors");
  for (const Model& model : kModels) {
    const Tensor made = predict(read(std::string(model.name) + ".keras"), rows, cpu());
    EXPECT_TRUE(made.same_bits(predict(read(std::string(model.name) + ".h5"), rows, cpu()))) << model.name;
    const std::span<const float> chances = made.values<float>(), keras = expected.at(model.answers).values<float>();
    ASSERT_EQ(chances.size(), 135u);
    for (size_t i = 0; i < chances.size(); ++i) {
      EXPECT_LE(ulps_apart(chances[i], keras[i]), model.most_ulps) << model.name << ", passenger " << i;
    }
  }
}

TEST(KerasModel, WhatIsReadOtherwiseIsNoted) {
  EXPECT_THAT(
      read("keras/random_flip.keras").notes,
      Contains("layer 'random_flip' (RandomFlip) changes its input only while training, and passes it on here."));
  EXPECT_THAT(read("keras/lora.keras").notes, Contains(HasSubstr("was trained with a low-rank pair")));
}

TEST(KerasModel, IsToldByContent) {
  for (const char* file : {"keras/rows.keras", "keras/rows.h5", "keras/half.keras", "keras/h5_user_block.h5"}) {
    EXPECT_TRUE(KerasImporter().claims(ByteSource::open(tests::fixture(file)))) << file;
  }
  for (const char* file : {"titanic/dense.pt", "titanic/dense.safetensors", "titanic/dense_dynamo.onnx"}) {
    EXPECT_FALSE(KerasImporter().claims(ByteSource::open(tests::fixture(file)))) << file;
  }
}

}  // namespace
}  // namespace causeway::formats::keras
