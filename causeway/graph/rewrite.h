#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "causeway/graph/graph.h"

namespace causeway {

/// What stands for each value of an old graph in a new one.
using ValueMap = std::unordered_map<Value, Value>;

/// What a rewrite does with one node, its inputs already in the new graph: other values for its outputs, or nothing to
/// have it copied as it is.
using NodeRule = std::function<std::optional<Values>(GraphBuilder&, const Node& node, const Values& inputs)>;

/// Copies inputs (unless `made` holds them already), slots and nodes of `graph`, under their scopes; outputs,
/// assignments and guards are left to the caller. Gives what stands for each value.
ValueMap copy_nodes(GraphBuilder& into, const Graph& graph, const NodeRule& rule = {}, ValueMap made = {});

/// The whole graph through a rule: outputs, assignments and guards follow their values.
Graph rewritten(const Graph& graph, Slots& slots, const NodeRule& rule);

}  // namespace causeway
