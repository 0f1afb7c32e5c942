#pragma once

#include "causeway/graph/graph.h"
#include "causeway/ops/recurrent.h"

namespace causeway::formats::onnx {

/// A recurrent layer as ONNX has it: the product with the input's weight inside, both directions in one node.
///
/// Settings   shows_masked_steps: something reads what its masked steps hold.
/// Shapes     x [N, L, in], mask [N, L]; then for each direction weight [in, G·H] ([G·H, in] where transposed; absent: x
///            is the product already), bias, recurrent weight, recurrent bias, h0, c0. For each direction steps, h, c (of
///            a cell that has none: nothing); for both, then, steps and h side by side.
struct RecurrentLayer {
  static constexpr std::string_view kName = "Recurrent";  // it stands for all of them, and their row writes it
  static constexpr std::string_view kNoGradient = "it is only written to a file.";
  static constexpr size_t kInputs = 6, kOutputs = 3;  // of a direction

  ops::Recurrent of = {};
  bool both_ways = false, shows_masked_steps = false;
  std::vector<int64_t> transposed = {};

  static void fields(auto&& each) {
    each("of", &RecurrentLayer::of);
    each("both_ways", &RecurrentLayer::both_ways);
    each("shows_masked_steps", &RecurrentLayer::shows_masked_steps);
    each("transposed", &RecurrentLayer::transposed);
  }
  Types infer(std::span<const Type>) const { return Types((both_ways ? 2 : 1) * kOutputs + (both_ways ? 2 : 0)); }
};

/// The graph with every Recurrent, the product before it and, where the two directions of one layer stand side by side,
/// the other one as RecurrentLayer. Refused where what one keeps for its gradient is read.
Graph with_recurrent_layers(const Graph& graph, Slots& slots);

}  // namespace causeway::formats::onnx
