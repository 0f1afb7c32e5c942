// Single ops by the cpu engine and by the reference, on lengths that networks have.

#include <benchmark/benchmark.h>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/op_list.h"
#include "tests/ops/case_graph.h"

namespace causeway::tests {
namespace {

std::vector<OpCase> cases() {
  const InputCase rows = floats({1024, 256}), list = floats({256}), image = floats({16, 64, 32, 32});
  const InputCase channels = floats({64}, 0.5, 2), ids = drawn(DType::Int64, {1024}, 0, 8000);
  const auto series = [](int64_t batch, int64_t channels) { return floats({batch, 50, channels}, -1, 1); };
  const auto weight = [](int64_t gates) { return floats({128, gates * 128}, -0.1, 0.1); };
  const ops::Recurrent lstm{}, gru{.cell = ops::CellKind::Gru},
      before{.cell = ops::CellKind::Gru, .reset_after = false};
  const InputCase whole = given(DType::Int64, {}, {3});
  return {
      {.name = "layer_norm", .op = ops::LayerNorm{}, .inputs = {rows, list, list}},
      {.name = "layer_norm_gradient", .op = ops::LayerNormGradient{}, .inputs = {rows, rows, list}},
      {.name = "lstm_row", .op = lstm, .inputs = {series(1, 512), weight(4)}},
      {.name = "lstm", .op = lstm, .inputs = {series(32, 512), weight(4)}},
      {.name = "gru", .op = gru, .inputs = {series(32, 384), weight(3)}},
      {.name = "gru_resets_before", .op = before, .inputs = {series(32, 384), weight(3)}},
      {.name = "lstm_gradient",
       .op = ops::RecurrentGradient{.of = lstm},
       .inputs = {series(32, 128), absent(), series(32, 640), series(32, 128), weight(4)}},
      {.name = "gru_gradient",
       .op = ops::RecurrentGradient{.of = gru},
       .inputs = {series(32, 128), absent(), series(32, 512), series(32, 128), weight(3)}},
      {.name = "gru_resets_before_gradient",
       .op = ops::RecurrentGradient{.of = before},
       .inputs = {series(32, 128), absent(), series(32, 384), series(32, 128), weight(3)}},
      {.name = "product_of_steps",
       .op = ops::MatMul{.transpose_a = true},
       .inputs = {floats({1600, 128}), floats({1600, 512})}},
      {.name = "product_of_rows", .op = ops::MatMul{}, .inputs = {floats({1600, 128}), floats({128, 512})}},
      {.name = "product_by_transpose",
       .op = ops::MatMul{.transpose_b = true},
       .inputs = {floats({1600, 512}), floats({128, 512})}},
      {.name = "sum_of_rows", .op = ops::Reduce{.axes = {0}}, .inputs = {floats({1600, 512})}},
      {.name = "attention",
       .op = ops::Attention{.heads = 4, .kv_heads = 4, .scale = 0.125f},
       .inputs = {floats({8, 128, 256}), floats({8, 128, 256}), floats({8, 128, 256})}},
      {.name = "attention_gradient",
       .op = ops::AttentionGradient{.heads = 4, .kv_heads = 4, .scale = 0.125f},
       .inputs = {floats({8, 128, 256}), floats({8, 128, 256}), floats({8, 128, 256}), floats({8, 128, 256}),
                  floats({8, 4, 128, 128}, 0, 0.02)}},
      {.name = "gather", .op = ops::Gather{}, .inputs = {floats({8000, 256}), ids}},
      {.name = "scatter_add", .op = ops::ScatterAdd{}, .inputs = {ids, rows, known({8000, 256})}},
      {.name = "concat", .op = ops::Concat{.axis = 1}, .inputs = {image, image}},
      {.name = "concat_last", .op = ops::Concat{.axis = 1}, .inputs = {rows, rows}},
      {.name = "split", .op = ops::Split{.axis = 1}, .inputs = {rows, known({64, 64, 128})}},
      {.name = "slice", .op = ops::Slice{}, .inputs = {rows, known({64}), known({192}), known({1})}},
      {.name = "slice_gradient",
       .op = ops::SliceGradient{},
       .inputs = {floats({1024, 128}), known({1024, 256}), known({64}), known({192}), known({1})}},
      {.name = "pad", .op = ops::Pad{}, .inputs = {image, known({0, 0, 1, 1, 0, 0, 1, 1})}},
      {.name = "pad_gradient",
       .op = ops::PadGradient{},
       .inputs = {floats({16, 64, 34, 34}), known({16, 64, 32, 32}), known({0, 0, 1, 1, 0, 0, 1, 1})}},
      {.name = "expand", .op = ops::Expand{}, .inputs = {list, known({1024, 256})}},
      {.name = "tile", .op = ops::Tile{}, .inputs = {rows, known({2, 2})}},
      {.name = "random_uniform",
       .op = ops::RandomUniform{.purpose = "dropout:0"},
       .inputs = {whole, whole, known({1024, 256})}},
      {.name = "batch_norm_first", .op = ops::BatchNormTraining{.axis = 1}, .inputs = {image, channels, channels}},
      {.name = "batch_norm_last",
       .op = ops::BatchNormTraining{},
       .inputs = {floats({16, 32, 32, 64}), channels, channels}},
      {.name = "batch_norm_gradient_first",
       .op = ops::BatchNormGradient{.axis = 1},
       .inputs = {image, image, channels, channels, channels}},
      {.name = "batch_norm_gradient_last",
       .op = ops::BatchNormGradient{},
       .inputs = {floats({16, 32, 32, 64}), floats({16, 32, 32, 64}), channels, channels, channels}},
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
