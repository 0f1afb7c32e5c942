#pragma once

#include <deque>
#include <string>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway {

/// Where a graph's nodes, values and scopes live: filled by the builder, shared by the finished graph's copies. The
/// deques keep every address; what died stays in them until the graph goes.
struct Graph::Storage {
  std::deque<Node> made_nodes;
  std::deque<ValueData> made_values;
  std::deque<Scope> made_scopes;

  std::vector<const Node*> nodes;
  std::vector<const Scope*> scopes;
  std::vector<Door> inputs, outputs;
  std::vector<SlotUse> slots;
  std::vector<Assignment> assignments;
  std::vector<Value> guards;
  std::vector<size_t> uses;
};

}  // namespace causeway
