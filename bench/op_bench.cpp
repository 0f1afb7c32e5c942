// Single ops by the cpu engine and by the reference, on lengths that networks have.

#include <benchmark/benchmark.h>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/op_list.h"
#include "tests/ops/case_graph.h"

namespace causeway::tests {
namespace {

std::vector<OpCase> cases() {
  const InputCase rows = floats({1024, 256}), list = floats({256});
  return {
      {.name = "layer_norm", .op = ops::LayerNorm{}, .inputs = {rows, list, list}},
      {.name = "layer_norm_gradient", .op = ops::LayerNormGradient{}, .inputs = {rows, rows, list}},
  };
}

void runs(benchmark::State& state, const OpCase& one, const Engine& engine) {
  CaseGraph made = forward_graph(one);
  Binding binding;
  std::vector<TensorView> inputs;
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    binding.lengths[made.graph.inputs()[i].name] = made.inputs[i].lengths();
    inputs.push_back(view_of(made.inputs[i]));
  }
  const auto context = engine.compile(made.graph, made.slots, binding)->context();
  for (auto _ : state) benchmark::DoNotOptimize(context->run(inputs));
}

}  // namespace
}  // namespace causeway::tests

int main(int argc, char** argv) {
  using namespace causeway;
  const engine::cpu::CpuEngine cpu;
  const engine::reference::ReferenceEngine reference;
  const auto all = tests::cases();
  for (const tests::OpCase& one : all) {
    for (const Engine* engine : {static_cast<const Engine*>(&cpu), static_cast<const Engine*>(&reference)}) {
      const std::string name = one.name + "/" + std::string(engine->name());
      benchmark::RegisterBenchmark(name.c_str(), [&one, engine](benchmark::State& state) {
        tests::runs(state, one, *engine);
      })->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
