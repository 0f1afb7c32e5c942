#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/answers.h"
#include "causeway/nn/loss_list.h"
#include "causeway/ops/build.h"
#include "causeway/train/backward.h"
#include "causeway/train/batch_loss.h"
#include "tests/support/files.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

struct Judged {
  double loss = 0;
  Tensor gradient;
};

// The loss of logits as a batch's, and its gradient to them.
Judged judged(const Engine& engine, const Loss& loss, const Tensor& logits, const Tensor& answers,
              const std::optional<Tensor>& weights = std::nullopt) {
  Slots slots;
  slots.add({.path = "logits", .numbers = logits});
  GraphBuilder network(slots);
  network.output("o", network.slot("logits"));
  SavedNetwork saved{.network = Network(std::move(network).finish(), std::move(slots))};
  saved.losses.emplace("o", loss);

  GraphBuilder graph(saved.network.slots());
  const ValueMap made = copy_nodes(graph, saved.network.graph());
  std::vector<Fault> faults;
  const std::optional<Tensor> taken = nn::answers_for(loss, answers, logits.shape(), faults);
  EXPECT_TRUE(taken) << (faults.empty() ? "" : faults[0].what);
  const train::AnswerForms forms{{"o", {taken->dtype() == DType::Int64, weights.has_value()}}};
  const Value batch = train::batch_loss(graph, saved, made, forms);
  const Value to = graph.slot("logits");
  graph.output("loss", batch);
  graph.output("gradient", train::gradients(graph, batch, {&to, 1})[0]);
  const Graph finished = std::move(graph).finish();

  std::vector<Tensor> inputs;
  Binding binding;
  for (const Door& door : finished.inputs()) {
    inputs.push_back(door.name == train::answers_input("o") ? *taken : weights.value());
    binding.lengths[door.name] = inputs.back().lengths();
  }
  std::vector<TensorView> views;
  for (Tensor& input : inputs) {
    input.mutable_data();
    views.push_back(view_of(input));
  }
  const auto context = engine.compile(finished, saved.network.slots(), binding, {})->context();
  const std::span<const TensorView> given = context->run(views);
  return {static_cast<double>(*static_cast<const float*>(given[0].data)), copy_of(given[1])};
}

std::vector<const Engine*> engines() {
  static const engine::reference::ReferenceEngine kReference;
  static const engine::cpu::CpuEngine kCpu;
  return {&kReference, &kCpu};
}

struct Worked {
  const char* name;
  Loss loss;
  std::vector<int64_t> lengths;
  std::vector<float> logits;
  std::vector<int64_t> answer_lengths;
  std::vector<float> answers;
  double value;
  /// Not judged where it is empty.
  std::vector<double> gradient = {};
  std::vector<float> weights = {};
};

const std::vector<float> kBinary{2, -1, .5f}, kBinaryAnswers{1, 0, 1};
const std::vector<float> kThree{1, 2, .5f, 0, -1, 3}, kShares{0, 1, 0, .2f, .3f, .5f};
const std::vector<float> kNumbers{1, -2, .5f, 3}, kNumberAnswers{.5f, 0, .5f, 1};

Worked binary(const char* name, Loss loss, double value, std::vector<double> gradient = {},
              std::vector<float> weights = {}) {
  return {
      name, std::move(loss), {3, 1}, kBinary, {3, 1}, kBinaryAnswers, value, std::move(gradient), std::move(weights)};
}
Worked categorical(const char* name, Loss loss, double value, std::vector<double> gradient,
                   std::vector<float> shares = kShares) {
  return {name, std::move(loss), {2, 3}, kThree, {2, 3}, std::move(shares), value, std::move(gradient)};
}
Worked numbers(const char* name, Loss loss, double value, std::vector<double> gradient = {}) {
  return {name, std::move(loss), {2, 2}, kNumbers, {2, 2}, kNumberAnswers, value, std::move(gradient)};
}
Worked one_row(const char* name, Loss loss, float logit, float answer, double value,
               std::vector<double> gradient = {}) {
  return {name, std::move(loss), {1, 1}, {logit}, {1, 1}, {answer}, value, std::move(gradient)};
}

const LossWeight kByWeights{.weight_reduction = WeightReduction::Weights};

const Worked kWorked[] = {
    binary("binary", BinaryCrossentropy{}, 0.304756, {-0.0397343, 0.0896471, -0.125847}),
    binary("binary_smoothed", BinaryCrossentropy{.label_smoothing = .1f}, 0.363089, {-0.0230677, 0.0729805, -0.109180}),
    one_row("binary_far_off", BinaryCrossentropy{}, 40, 0, 40, {1}),
    one_row("binary_far_off_below", BinaryCrossentropy{}, -50, 1, 50, {-1}),
    one_row("binary_met", BinaryCrossentropy{}, 50, 1, 0, {0}),
    binary("binary_weighted", BinaryCrossentropy{}, 0.330163, {}, {1, 2, .5f}),
    binary("binary_by_class", BinaryCrossentropy{}, 0.705426, {}, {3, 1, 3}),
    binary("binary_by_weights", Loss(BinaryCrossentropy{}, kByWeights), 0.330163 * 3 / 3.5, {}, {1, 2, .5f}),
    binary("binary_halved", Loss(BinaryCrossentropy{}, {.weight = .5f}), 0.304756 / 2,
           {-0.0397343 / 2, 0.0896471 / 2, -0.125847 / 2}),
    categorical("categorical", CategoricalCrossentropy{}, 1.16513,
                {0.115612, -0.185734, 0.0701222, -0.0766937, -0.141426, 0.218120}),
    categorical("categorical_smoothed", CategoricalCrossentropy{.label_smoothing = .1f}, 1.23346, {}),
    {"class_numbers_by_rows", CategoricalCrossentropy{}, {2, 3}, kThree, {2}, {1, 2}, 0.563194, {}, {2, 3}},
    {"class_numbers_by_weights",
     Loss(SparseCategoricalCrossentropy{}, kByWeights),
     {2, 3},
     kThree,
     {2, 1},
     {1, 2},
     0.225278,
     {},
     {2, 3}},
    {"categorical_far_off", CategoricalCrossentropy{}, {1, 2}, {50, -50}, {1, 2}, {0, 1}, 100, {1, -1}},
    numbers("squared", MeanSquaredError{}, 2.0625, {.25, -1, 0, 1}),
    numbers("absolute", MeanAbsoluteError{}, 1.125, {.25, -.25, 0, .25}),
    numbers("huber", Huber{}, 0.78125, {.125, -.25, 0, .25}),
    numbers("huber_at_its_corner", Huber{.delta = .5f}, 0.46875, {.125, -.125, 0, .125}),
    {"poisson", Poisson{}, {2, 1}, {1, 2.5f}, {2, 1}, {2, 0}, 1.75, {-.5, .5}},
    {"poisson_log", Poisson{.log_input = true}, {2, 1}, {0, std::log(2.5f)}, {2, 1}, {2, 0}, 1.75, {-.5, 1.25}},
    {"hinge", Hinge{}, {3, 1}, {.3f, -2, 1.5f}, {3, 1}, {1, 0, 0}, 1.06667, {-.333333, 0, .333333}},
    one_row("hinge_at_its_corner", Hinge{}, 1, 1, 0, {0}),
    binary("focal", BinaryFocalCrossentropy{}, 0.0306784, {-0.00162365, 0.0175270, -0.0459790}),
    binary("focal_gamma_1", BinaryFocalCrossentropy{.gamma = 1}, 0.0927875),
    binary("focal_balanced", BinaryFocalCrossentropy{.apply_class_balancing = true}, 0.0114459),
    binary("focal_smoothed", BinaryFocalCrossentropy{.label_smoothing = .1f}, 0.0374745),
    one_row("focal_far_off", BinaryFocalCrossentropy{}, 50, 0, 50, {1}),
    one_row("focal_far_off_below", BinaryFocalCrossentropy{}, -50, 1, 50, {-1}),
    one_row("focal_met", BinaryFocalCrossentropy{.gamma = .5f}, 50, 1, 0, {0}),
    one_row("focal_met_past_float32", BinaryFocalCrossentropy{.gamma = .5f}, 200, 1, 0, {0}),
    categorical("earth_movers", EarthMoversDistance{}, 0.480548,
                {0.0726658, -0.116740, 0.0440740, -0.0440402, -0.00762758, 0.0516678}),
    categorical("earth_movers_remainder", EarthMoversDistance{.remainder = true}, 0.591556,
                {-0.0820920, 0.142380, -0.0602879, 0.0764857, -0.106333, 0.0298475}, {.5f, .3f, .2f, .2f, .3f, .5f}),
    {"earth_movers_met", EarthMoversDistance{}, {1, 2}, {50, -50}, {1, 2}, {1, 0}, 0, {0, 0}},
};

class TrainingSection1 : public testing::TestWithParam<Worked> {};

// Values are stated to six digits.
TEST_P(TrainingSection1, GivesTheStatedLossAndGradient) {
  const Worked& row = GetParam();
  const Tensor logits = Tensor::of<float>(row.lengths, row.logits);
  const Tensor answers = Tensor::of<float>(row.answer_lengths, row.answers);
  std::optional<Tensor> weights;
  if (!row.weights.empty()) weights = Tensor::of<float>({row.lengths[0]}, row.weights);
  for (const Engine* engine : engines()) {
    const Judged got = judged(*engine, row.loss, logits, answers, weights);
    EXPECT_NEAR(got.loss, row.value, 5e-6 * std::max(1.0, row.value)) << engine->name();
    for (size_t i = 0; i < row.gradient.size(); ++i) {
      EXPECT_NEAR(got.gradient.number_at(static_cast<int64_t>(i)), row.gradient[i], 1e-6) << engine->name() << " " << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Losses, TrainingSection1, testing::ValuesIn(kWorked), tests::by_name);

// Cases of tests/fixtures/losses, which make.py there had PyTorch and Keras work out in double.
struct Framed {
  std::string name;
  Json loss;
};
void PrintTo(const Framed& row, std::ostream* out) { *out << row.name; }

std::string fixture(const std::string& name) { return tests::fixture("losses/" + name); }

std::vector<Framed> framed() {
  std::vector<Framed> all;
  const Json listed = parse_json(tests::bytes_of(fixture("losses.json")), "losses.json");
  for (const Json& row : listed.items()) {
    all.push_back({row.find("name")->text(), *row.find("loss")});
  }
  return all;
}

class Frameworks : public testing::TestWithParam<Framed> {};

TEST_P(Frameworks, GiveTheSameLossAndGradient) {
  using formats::safetensors::StoredTensor;
  const auto file = formats::safetensors::read_safetensors(formats::ByteSource::open(fixture("losses.safetensors")));
  const auto tensor = [&](const std::string& name) -> std::optional<Tensor> {
    for (const StoredTensor& stored : file.tensors) {
      if (stored.name == GetParam().name + "/" + name) return stored.tensor();
    }
    return std::nullopt;
  };
  std::vector<Fault> faults;
  const std::optional<StatedLoss> stated = nn::read_loss(GetParam().loss, "losses.json", faults);
  ASSERT_TRUE(stated);
  const Tensor wanted = tensor("gradient").value();
  const double loss = tensor("loss").value().number_at(0);
  for (const Engine* engine : engines()) {
    const Judged got =
        judged(*engine, stated->loss, tensor("logits").value(), tensor("answers").value(), tensor("weights"));
    // A few roundings of sums over at most 33 classes.
    EXPECT_NEAR(got.loss, loss, 1e-6 * std::max(1.0, std::fabs(loss))) << engine->name();
    ASSERT_EQ(got.gradient.lengths(), wanted.lengths());
    for (int64_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(got.gradient.number_at(i), wanted.number_at(i), 1e-6) << engine->name() << " " << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Losses, Frameworks, testing::ValuesIn(framed()), tests::by_name);

}  // namespace
}  // namespace causeway
