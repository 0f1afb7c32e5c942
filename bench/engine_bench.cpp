// Answers, training steps and compiling by the cpu engine, on the networks of tests/engine/cpu/sample_networks.h.

#include <benchmark/benchmark.h>

#include "causeway/engine/cpu/cpu_engine.h"
#include "tests/engine/cpu/sample_networks.h"
#include "tests/engine/cpu/stepping.h"

namespace causeway {
namespace {

struct Model {
  const char* name;
  SavedNetwork (*make)();
  std::vector<int64_t> answered, trained;
};

const Model kModels[] = {
    {"titanic",
     [] {
       return samples::mlp({14, 16, 1});
     },
     {1, 128},
     {32}},
    {"mlp784",
     [] {
       return samples::mlp({784, 512, 256, 10});
     },
     {1, 64},
     {64}},
    {"cnn28", [] { return samples::cnn28(); }, {1, 32}, {64}},
    {"resnet",
     [] {
       return samples::resnet({64, 128}, 2);
     },
     {1, 16},
     {16}},
    {"mobilenet", [] { return samples::mobilenet(); }, {1, 8}, {}},
    {"lstm", [] { return samples::recurrent({}, 50, 32, 128); }, {1, 16}, {32}},
    {"gru", [] { return samples::recurrent({.cell = ops::CellKind::Gru}, 50, 32, 128); }, {1, 16}, {32}},
    {"encoder", [] { return samples::encoder(128, 256); }, {1, 8}, {8}},
};

Binding bound_to(const SavedNetwork& saved, int64_t rows) {
  std::vector<int64_t> lengths = samples::row_lengths(saved);
  lengths.insert(lengths.begin(), rows);
  return {.lengths = {{"x", lengths}}};
}

void answers(benchmark::State& state, const Model& model, int64_t rows) {
  SavedNetwork saved = model.make();
  const Binding binding = bound_to(saved, rows);
  const auto executable = engine::cpu::CpuEngine().compile(saved.network.graph(), saved.network.slots(), binding);
  const auto context = executable->context();
  const Tensor x = samples::random_tensor(binding.lengths.at("x"), 1);
  const TensorView input = view_of(x);
  for (auto _ : state) benchmark::DoNotOptimize(context->run({&input, 1}));
}

void compiles(benchmark::State& state, const Model& model, int64_t rows) {
  SavedNetwork saved = model.make();
  const Binding binding = bound_to(saved, rows);
  const Tensor x = samples::random_tensor(binding.lengths.at("x"), 1);
  const TensorView input = view_of(x);
  for (auto _ : state) {
    const auto executable = engine::cpu::CpuEngine().compile(saved.network.graph(), saved.network.slots(), binding);
    benchmark::DoNotOptimize(executable->context()->run({&input, 1}));
  }
}

void steps(benchmark::State& state, const Model& model, int64_t rows) {
  samples::Stepping stepping(model.make(), rows, engine::cpu::CpuEngine());
  int64_t step = 0;
  for (auto _ : state) benchmark::DoNotOptimize(stepping.run(++step % 1000 + 1));
}

}  // namespace
}  // namespace causeway

int main(int argc, char** argv) {
  using namespace causeway;
  for (const Model& model : kModels) {
    const auto add = [&](const char* kind, auto body, int64_t rows) {
      const std::string name = std::string(kind) + "/" + model.name + "/" + std::to_string(rows);
      benchmark::RegisterBenchmark(name.c_str(), body, model, rows);
    };
    for (const int64_t rows : model.answered) add("answer", answers, rows);
    for (const int64_t rows : model.trained) add("step", steps, rows);
    add("compile", compiles, 1);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
