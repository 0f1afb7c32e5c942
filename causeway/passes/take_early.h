#pragma once

#include "causeway/graph/graph.h"

namespace causeway::passes {

/// Takes places along an axis (a Gather of one, a Slice to half of them or fewer) before the ops that work each place by
/// itself, where nothing else is read of what they make: the layers behind the last attention of a classifier that reads
/// one step work that step alone. Every length must be a number.
Graph taken_early(const Graph& graph, Slots& slots);

}  // namespace causeway::passes
