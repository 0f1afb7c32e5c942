#include "causeway/ops/recurrent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/graph/graph.h"

namespace causeway::engine::cpu {
namespace {

// One step from the state 0: what gates make of these sums, the same in each of a cell's gates.
std::vector<float> step_of(const Engine& engine, const ops::Recurrent& op, const std::vector<float>& sums) {
  const auto units = static_cast<int64_t>(sums.size()), wide = op.gates() * units;
  const std::vector<int64_t> lengths{1, 1, wide};
  Slots slots;
  GraphBuilder builder(slots);
  const Value a = builder.input("a", {DType::Float32, Shape::of(lengths)});
  const Value weight = builder.constant(Tensor(DType::Float32, {units, wide}), "weight");
  builder.output("h", builder.add(op, {a, weight})[0]);
  const Graph graph = std::move(builder).finish();
  const auto context = engine.compile(graph, slots, {.lengths = {{"a", lengths}}}, {})->context();
  Tensor rows(DType::Float32, lengths);
  for (int64_t i = 0; i < wide; ++i) {
    rows.mutable_values<float>()[static_cast<size_t>(i)] = sums[static_cast<size_t>(i % units)];
  }
  const TensorView input = view_of(rows);
  const auto* h = static_cast<const float*>(context->run({&input, 1})[0].data);
  return {h, h + units};
}

// Beyond every bound, and in more units than a vector has.
TEST(Recurrent, KeepsNaNAndTheEndsOfItsFunctions) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> sums = {0,     -0.0f, 1e-30f, -1e-6f, 3,         -7.9f,      7.91f, -15.8f,
                             15.9f, 88,    -1e4f,  3e38f,  kInfinity, -kInfinity, kNaN};
  sums.resize(37, kNaN);
  for (const ops::CellKind cell : {ops::CellKind::Lstm, ops::CellKind::Gru, ops::CellKind::SimpleRnn}) {
    const ops::Recurrent op{.cell = cell};
    const std::vector<float> got = step_of(CpuEngine(), op, sums);
    const std::vector<float> judge = step_of(reference::ReferenceEngine(), op, sums);
    for (size_t i = 0; i < sums.size(); ++i) {
      if (std::isnan(sums[i])) {
        EXPECT_TRUE(std::isnan(got[i])) << words_of(cell)[static_cast<size_t>(cell)] << ", unit " << i;
      } else {
        EXPECT_NEAR(got[i], judge[i], 1e-6) << words_of(cell)[static_cast<size_t>(cell)] << " of " << sums[i];
      }
    }
  }
}

}  // namespace
}  // namespace causeway::engine::cpu
