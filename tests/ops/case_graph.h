#pragma once

#include <optional>
#include <span>
#include <vector>

#include "causeway/engine/engine.h"
#include "causeway/graph/graph.h"
#include "tests/ops/op_case.h"

namespace causeway::tests {

/// The numbers of each input of a case, the same at every call; none where it is absent.
std::vector<std::optional<Tensor>> tensors_of(const OpCase& one);

/// A graph that applies one op, with what it is run on.
struct CaseGraph {
  Slots slots = {};
  Graph graph = {};
  /// For the graph's inputs, in their order.
  std::vector<Tensor> inputs = {};
  /// Which input of the op each output of a gradient graph belongs to.
  std::vector<size_t> gradient_to = {};
};

CaseGraph forward_graph(const OpCase& one);
/// The op's gradients, for these gradients of its outputs (none where none flows from one).
CaseGraph gradient_graph(const OpCase& one, const std::vector<std::optional<Tensor>>& dy);

std::vector<Tensor> run_on(const Engine& engine, CaseGraph& made);

}  // namespace causeway::tests
