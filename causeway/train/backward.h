#pragma once

// train/ trains a network further: the backward walk, optimizers and schedules as graph nodes, the step that is
// compiled as one graph, the loop over batches and epochs, and checkpoints. It knows no file format but the native one,
// and no engine by name.

#include <span>

#include "causeway/graph/graph.h"

namespace causeway::train {

/// The gradient of the scalar `of` to each of `to`, as nodes added to their graph: every op's own rule from the last
/// node to the first, added up where a value is read more than once. An empty Value where no gradient flows.
///
/// Refused    a value of `to` that reaches `of` only through ops without a gradient, naming value and op.
Values gradients(GraphBuilder& graph, Value of, std::span<const Value> to);

}  // namespace causeway::train
