#pragma once

#include <map>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/graph/network.h"

namespace causeway::formats::native {

/// A graph as JSON: its inputs, scopes, nodes and outputs. A scope is named by its place in the list; a value is
/// `input/NAME`, `slot/PATH` or `%N`, the N-th output of a node; an absent input is "".
Json graph_to_json(const Graph& graph);

/// The slots as JSON, all but their numbers.
Json slots_to_json(const Slots& slots);

/// Declares the slots of a document in `slots`, taking dtype and lengths from `tensors`, all numbers still 0 (those of
/// constants are the tensors). Faults go to `faults`.
void slots_from_json(const Json& json, const std::map<std::string, Tensor, std::less<>>& tensors, Slots& slots,
                     std::vector<Fault>& faults);

/// The graph of a document over slots that are there already. Refused: what is no op, setting, scope or value that is
/// known, each at its node, and a node whose inputs do not fit.
Graph graph_from_json(const Json& json, Slots& slots);

}  // namespace causeway::formats::native
