#include "causeway/train/optimizer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "causeway/answer/engines.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/losses.h"
#include "causeway/nn/sequential.h"
#include "causeway/train/fit.h"
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

struct Run {
  const char* name;
  Optimizer optimizer;
  // In roundings of max(1, |w|). The formulas worked in exact steps differ from PyTorch's own numbers by as much where a
  // root is taken: its vector root is not always correctly rounded.
  double bound;
};

const Run kRuns[] = {
    {"sgd", Sgd{}, 0},
    {"sgd_decay", Sgd{.weight_decay = 0.01}, 0},
    {"momentum", Sgd{.momentum = 0.9}, 0},
    {"momentum_dampening", Sgd{.momentum = 0.9, .dampening = 0.5}, 0},
    {"nesterov", Sgd{.momentum = 0.9, .weight_decay = 0.01, .nesterov = true}, 0},
    {"adam", Adam{}, 0.25},
    {"adam_decay", Adam{.weight_decay = 0.01}, 0.5},
    {"amsgrad", Adam{.amsgrad = true}, 0.25},
    {"adamw", AdamW{}, 0.25},
};

class OptimizerRuns : public testing::TestWithParam<std::tuple<Run, const Engine*>> {};

// The gradients are handed in: a loss of sum(w * g) has the gradient g.
TEST_P(OptimizerRuns, AreThoseOfPyTorch) {
  const auto& [run, engine] = GetParam();
  const SafetensorsFile file = open("optimizers/weights.safetensors");
  const Tensor start = tensor_of(file, "start"), gradients = tensor_of(file, "gradients");
  Slots slots;
  slots.add({.path = "w", .numbers = start});
  for (const std::string_view name : run.optimizer.memory()) {
    slots.add(
        {.path = "@memory/w/" + std::string(name), .role = Role::Measured, .numbers = Tensor(DType::Float32, {257})});
  }
  GraphBuilder graph(slots);
  std::vector<std::string> scalars;
  const Value gradient = graph.input("g", {DType::Float32, Shape{257}});
  const train::SlotStep step{
      graph,
      graph.slot("w"),
      gradient,
      run.optimizer.weight_decay(),
      [&](std::string_view name) { return graph.slot("@memory/w/" + std::string(name)); },
      [&](std::string_view name, Value value) { graph.assign("@memory/w/" + std::string(name), value); },
      [&](std::string_view name) {
        return graph.shared_input(name, {DType::Float32, Shape{std::vector<Dim>{}}});
      }};
  graph.assign("w", run.optimizer.step(step));
  const Graph built = std::move(graph).finish();
  Binding binding;
  for (const Door& door : built.inputs()) binding.lengths[door.name] = door.value.shape().lengths();
  const auto context = engine->compile(built, slots, binding)->context();
  for (int64_t t = 1; t <= 100; ++t) {
    std::vector<Tensor> inputs;
    for (const Door& door : built.inputs()) {
      if (door.name == "g") {
        const std::span<const float> row = gradients.values<float>().subspan(static_cast<size_t>(t - 1) * 257, 257);
        inputs.push_back(Tensor::of<float>({257}, {row.begin(), row.end()}));
        continue;
      }
      const std::vector<std::string_view> names = run.optimizer.scalars();
      std::vector<double> worked(names.size());
      run.optimizer.work(run.optimizer.learning_rate(), run.optimizer.weight_decay(), t, worked);
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] == door.name) inputs.push_back(Tensor::scalar(static_cast<float>(worked[i])));
      }
    }
    std::vector<TensorView> views;
    for (const Tensor& input : inputs) views.push_back(view_of(input));
    context->run(views);
    if (t != 1 && t != 2 && t != 10 && t != 100) continue;
    const Tensor wanted = tensor_of(file, std::string(run.name) + "/" + std::to_string(t));
    double worst = 0;
    for (int64_t i = 0; i < 257; ++i) {
      const double w = wanted.number_at(i), apart = std::fabs(slots.at("w").numbers.number_at(i) - w);
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
