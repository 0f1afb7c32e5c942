#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "causeway/answer/engines.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "causeway/train/fit.h"
#include "causeway/train/optimizer_list.h"
#include "causeway/train/step.h"
#include "tests/support/files.h"

namespace causeway {
namespace {

using formats::ByteSource;
using formats::safetensors::read_safetensors;
using formats::safetensors::SafetensorsFile;

Tensor tensor_of(const SafetensorsFile& file, std::string_view name) {
  for (const auto& stored : file.tensors) {
    if (stored.name == name) return stored.tensor();
  }
  ADD_FAILURE() << name << " is not in the file.";
  return {};
}

SafetensorsFile open(std::string_view path) { return read_safetensors(ByteSource::open(tests::fixture(path))); }

// One slot and an optimizer's rule on it, compiled: the gradients are handed in.
class Stepper {
 public:
  Stepper(const Optimizer& optimizer, const Tensor& start, const Engine& engine = cpu()) : optimizer_(optimizer) {
    const std::vector<int64_t>& lengths = start.lengths();
    slots_.add({.path = "w", .numbers = start.converted(DType::Float32)});
    for (const train::Memory& kept : optimizer.memory()) {
      Tensor numbers(DType::Float32, lengths);
      std::ranges::fill(numbers.mutable_values<float>(), static_cast<float>(kept.start));
      slots_.add({.path = memory_path(kept.name), .role = Role::Measured, .numbers = std::move(numbers)});
    }
    GraphBuilder graph(slots_);
    const train::SlotStep step{graph,
                               graph.slot("w"),
                               graph.input("g", {DType::Float32, start.shape()}),
                               optimizer.weight_decay(),
                               [&](std::string_view name) { return graph.slot(memory_path(name)); },
                               [&](std::string_view name, Value value) { graph.assign(memory_path(name), value); },
                               [&](std::string_view name) {
                                 return graph.shared_input(name, {DType::Float32, Shape{std::vector<Dim>{}}});
                               }};
    graph.assign("w", optimizer.step(step));
    graph_ = std::move(graph).finish();
    Binding binding;
    for (const Door& door : graph_.inputs()) binding.lengths[door.name] = door.value.shape().lengths();
    context_ = engine.compile(graph_, slots_, binding)->context();
  }

  void step(const Tensor& gradient, double rate) {
    carried_ = optimizer_.carry(carried_, ++count_);
    const std::vector<std::string_view> names = optimizer_.scalars();
    std::vector<double> worked(names.size());
    optimizer_.work({rate, count_, carried_}, optimizer_.weight_decay(), worked);
    std::vector<Tensor> inputs;
    for (const Door& door : graph_.inputs()) {
      if (door.name == "g") inputs.push_back(gradient);
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] == door.name) inputs.push_back(Tensor::scalar(static_cast<float>(worked[i])));
      }
    }
    std::vector<TensorView> views;
    for (const Tensor& input : inputs) views.push_back(view_of(input));
    context_->run(views);
  }
  void step(const Tensor& gradient) { step(gradient, optimizer_.learning_rate()); }
  const Tensor& weight() const { return slots_.at("w").numbers; }

 private:
  static std::string memory_path(std::string_view name) { return "@memory/w/" + std::string(name); }

  const Optimizer& optimizer_;
  Slots slots_;
  Graph graph_;
  std::unique_ptr<Context> context_;
  int64_t count_ = 0;
  double carried_ = 1;
};

constexpr OptimizerForm kKeras = OptimizerForm::Keras;

// One weight from 1, rate .1, gradients .5 -.25 .125, as PyTorch prints it (Lion: Keras).
struct Row {
  const char* name;
  Optimizer optimizer;
  std::array<float, 3> gradients, weights;

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
};
constexpr std::array<float, 3> kSteep{.5f, -.25f, .125f}, kFlat{1e-6f, -5e-7f, 2e-6f};
const Row kRows[] = {
    {"sgd", Sgd{.learning_rate = .1}, kSteep, {0.949999988f, 0.974999964f, 0.962499976f}},
    {"momentum", Sgd{.learning_rate = .1, .momentum = .9}, kSteep, {0.949999988f, 0.930000007f, 0.899500012f}},
    {"dampening",
     Sgd{.learning_rate = .1, .momentum = .9, .dampening = .5},
     kSteep,
     {0.949999988f, 0.917499959f, 0.881999969f}},
    {"nesterov",
     Sgd{.learning_rate = .1, .momentum = .9, .weight_decay = .01, .nesterov = true},
     kSteep,
     {0.903100014f, 0.907574117f, 0.864439189f}},
    {"adam", Adam{.learning_rate = .1}, kSteep, {0.900000036f, 0.873366356f, 0.839323461f}},
    {"adam_decay", Adam{.learning_rate = .1, .weight_decay = .01}, kSteep, {0.900000036f, 0.87122941f, 0.834843099f}},
    {"adamw", AdamW{.learning_rate = .1}, kSteep, {0.899000049f, 0.871467352f, 0.836552978f}},
    {"rmsprop", RmsProp{.learning_rate = .1}, kSteep, {2.38418579e-07f, 0.449013442f, 0.228909284f}},
    {"rmsprop_centered",
     RmsProp{.learning_rate = .1, .momentum = .9, .centered = true},
     kSteep,
     {-0.00503760902f, -0.460122854f, -1.09026611f}},
    {"nadam", NAdam{.learning_rate = .1}, kSteep, {0.89435482f, 0.935465813f, 0.908260107f}},
    {"adagrad", Adagrad{.learning_rate = .1}, kSteep, {0.899999976f, 0.944721341f, 0.922899544f}},
    {"adamax", Adamax{.learning_rate = .1}, kSteep, {0.899999976f, 0.878926277f, 0.856371939f}},
    {"lion", Lion{.learning_rate = .1}, kSteep, {0.899999976f, 1, 0.899999976f}},
};
class TrainingSection3 : public testing::TestWithParam<std::tuple<Row, const Engine*>> {};

TEST_P(TrainingSection3, StepsToTheLastBit) {
  const auto& [row, engine] = GetParam();
  Stepper stepper(row.optimizer, Tensor::of<float>({1}, {1}), *engine);
  for (size_t i = 0; i < 3; ++i) {
    stepper.step(Tensor::of<float>({1}, {row.gradients[i]}));
    EXPECT_EQ(stepper.weight().values<float>()[0], row.weights[i]) << "after " << i + 1 << " steps";
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, TrainingSection3,
                         testing::Combine(testing::ValuesIn(kRows),
                                          testing::ValuesIn(engines().begin(), engines().end())),
                         [](const auto& row) {
                           return std::string(std::get<0>(row.param).name) + "_" +
                                  std::string(std::get<1>(row.param)->name());
                         });

// Where gradients are small, the place of epsilon is what decides.
const Row kEpsilons[] = {
    {"pytorch", Adam{.learning_rate = .1}, kFlat, {0.900990f, 0.874689f, 0.809372f}},
    {"epsilon", Adam{.learning_rate = .1, .epsilon = 1e-7}, kFlat, {0.909091f, 0.885448f, 0.824261f}},
    {"keras", Adam{.learning_rate = .1, .form = kKeras}, kFlat, {0.975975f, 0.969020f, 0.941373f}},
};
class TrainingSection3Epsilon : public testing::TestWithParam<Row> {};

TEST_P(TrainingSection3Epsilon, StandsWhereTheFormPutsIt) {
  Stepper stepper(GetParam().optimizer, Tensor::of<float>({1}, {1}));
  for (size_t i = 0; i < 3; ++i) {
    stepper.step(Tensor::of<float>({1}, {GetParam().gradients[i]}));
    EXPECT_NEAR(stepper.weight().values<float>()[0], GetParam().weights[i], 5e-7) << "after " << i + 1 << " steps";
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, TrainingSection3Epsilon, testing::ValuesIn(kEpsilons),
                         [](const auto& row) { return std::string(row.param.name); });

struct Run {
  const char* name;
  Optimizer optimizer;
  // In roundings of max(1, |w|). PyTorch's are met to the last bit, its roots being rounded right (make.py says why).
  // Keras works the powers of its betas in float32, and Nadam's product of momenta with them; here they are in double.
  double bound;

  friend void PrintTo(const Run& run, std::ostream* out) { *out << run.name; }
};

const Run kRuns[] = {
    {"sgd", Sgd{}, 0},
    {"sgd_decay", Sgd{.weight_decay = 0.01}, 0},
    {"momentum", Sgd{.momentum = 0.9}, 0},
    {"momentum_dampening", Sgd{.momentum = 0.9, .dampening = 0.5}, 0},
    {"nesterov", Sgd{.momentum = 0.9, .weight_decay = 0.01, .nesterov = true}, 0},
    {"adam", Adam{}, 0},
    {"adam_decay", Adam{.weight_decay = 0.01}, 0},
    {"amsgrad", Adam{.amsgrad = true}, 0},
    {"adamw", AdamW{}, 0},
    {"rmsprop", RmsProp{}, 0},
    {"rmsprop_centered", RmsProp{.momentum = 0.9, .centered = true}, 0},
    {"nadam", NAdam{}, 0},
    {"nadam_decoupled", NAdam{.weight_decay = 0.01, .decoupled_weight_decay = true}, 0},
    {"adagrad", Adagrad{}, 0},
    {"adagrad_decay", Adagrad{.lr_decay = 0.1, .initial_accumulator_value = 0.1}, 0},
    {"adamax", Adamax{}, 0},
    {"keras_sgd", Sgd{.form = kKeras}, 0},
    {"keras_momentum", Sgd{.momentum = 0.9, .form = kKeras}, 0},
    {"keras_nesterov", Sgd{.momentum = 0.9, .nesterov = true, .form = kKeras}, 0},
    {"keras_adam", Adam{.form = kKeras}, 8},
    {"keras_amsgrad", Adam{.amsgrad = true, .form = kKeras}, 8},
    {"keras_adamw", AdamW{.form = kKeras}, 8},
    {"keras_rmsprop", RmsProp{.form = kKeras}, 0},
    {"keras_rmsprop_centered", RmsProp{.momentum = 0.9, .centered = true, .form = kKeras}, 0},
    {"keras_nadam", NAdam{.form = kKeras}, 32},
    {"keras_adagrad", Adagrad{.form = kKeras}, 0},
    {"keras_adamax", Adamax{.form = kKeras}, 1},
    {"keras_lion", Lion{}, 0},
};

class OptimizerRuns : public testing::TestWithParam<std::tuple<Run, const Engine*>> {};

TEST_P(OptimizerRuns, AreThoseOfTheirFrameworks) {
  const auto& [run, engine] = GetParam();
  const SafetensorsFile file = open("optimizers/weights.safetensors");
  const Tensor gradients = tensor_of(file, "gradients");
  Stepper stepper(run.optimizer, tensor_of(file, "start"), *engine);
  for (int64_t t = 1; t <= 100; ++t) {
    const std::span<const float> row = gradients.values<float>().subspan(static_cast<size_t>(t - 1) * 257, 257);
    stepper.step(Tensor::of<float>({257}, {row.begin(), row.end()}));
    if (t != 1 && t != 2 && t != 10 && t != 100) continue;
    const Tensor wanted = tensor_of(file, std::string(run.name) + "/" + std::to_string(t));
    double worst = 0;
    for (int64_t i = 0; i < 257; ++i) {
      const double w = wanted.number_at(i), apart = std::fabs(stepper.weight().number_at(i) - w);
      worst = std::max(worst, apart / (std::ldexp(1.0, -24) * std::max(1.0, std::fabs(w))));
    }
    EXPECT_LE(worst, run.bound) << "after " << t << " steps";
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptimizerRuns,
                         testing::Combine(testing::ValuesIn(kRuns),
                                          testing::ValuesIn(engines().begin(), engines().end())),
                         [](const auto& row) {
                           return std::string(std::get<0>(row.param).name) + "_" +
                                  std::string(std::get<1>(row.param)->name());
                         });

struct NetworkRun {
  const char* name;
  Optimizer optimizer;
};
const NetworkRun kNetworkRuns[] = {
    {"sgd", Sgd{.learning_rate = 0.1}},
    {"momentum", Sgd{.learning_rate = 0.05, .momentum = 0.9}},
    {"adam", Adam{.learning_rate = 0.01}},
    {"adamw", AdamW{.learning_rate = 0.01, .weight_decay = 0.05}},
};

class NetworkRuns : public testing::TestWithParam<std::tuple<NetworkRun, const Engine*>> {};

Tensor transposed_if_matrix(const Tensor& tensor) {
  return tensor.rank() == 2 ? tensor.permuted(std::array<size_t, 2>{1, 0}) : tensor;
}

TEST_P(NetworkRuns, EndWithin1e6OfPyTorchsWeights) {
  const auto& [run, engine] = GetParam();
  SavedNetwork saved{.network = Sequential({14}).dense(16).relu().dense(1).build(0)};
  saved.losses.emplace("output", BinaryCrossentropy{});
  const SafetensorsFile start = open("optimizers/start.safetensors"), ends = open("optimizers/network.safetensors");
  const std::vector<std::string> paths{"0.weight", "0.bias", "2.weight", "2.bias"};
  for (const std::string& path : paths)
    saved.network.slots().at(path).assign(transposed_if_matrix(tensor_of(start, path)));
  const SafetensorsFile batches = open("optimizers/batches.safetensors");
  const Tensor x = tensor_of(batches, "x").reshaped({640, 14}), y = tensor_of(batches, "y").reshaped({640, 1});
  std::vector<double> losses;
  fit(saved, x, y, run.optimizer,
      {.batch_size = 32,
       .shuffle = false,
       .on_step = [&](const StepReport& report) { losses.push_back(report.loss); },
       .engine = engine});
  for (const std::string& path : paths) {
    const Tensor wanted = transposed_if_matrix(tensor_of(ends, std::string(run.name) + "/" + path));
    const Tensor& got = saved.network.slots().at(path).numbers;
    for (int64_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(got.number_at(i), wanted.number_at(i), 1e-6) << path << " " << i;
  }
  const Tensor wanted = tensor_of(ends, std::string(run.name) + "/losses");
  ASSERT_EQ(losses.size(), 20u);
  for (int64_t i = 0; i < 20; ++i) EXPECT_NEAR(losses[static_cast<size_t>(i)], wanted.number_at(i), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, NetworkRuns,
                         testing::Combine(testing::ValuesIn(kNetworkRuns),
                                          testing::ValuesIn(engines().begin(), engines().end())),
                         [](const auto& row) {
                           return std::string(std::get<0>(row.param).name) + "_" +
                                  std::string(std::get<1>(row.param)->name());
                         });

}  // namespace
}  // namespace causeway
