#include "causeway/nn/summary.h"

#include <unordered_map>
#include <unordered_set>

namespace causeway::nn {
std::vector<LayerSummary> summary_of(const Network& network) {
  const Graph& graph = network.graph();
  std::unordered_map<const Scope*, LayerSummary> layers;
  std::unordered_set<Value> read_elsewhere;
  for (const Node* node : graph.nodes()) {
    for (const Value& input : node->inputs) {
      if (input && input.node() && input.node()->scope != node->scope) read_elsewhere.insert(input);
    }
  }
  for (const Door& door : graph.outputs()) read_elsewhere.insert(door.value);
  for (const Node* node : graph.nodes()) {
    LayerSummary& layer = layers[node->scope];
    for (const Value& output : node->outputs) {
      if (read_elsewhere.contains(output)) layer.output_shape = output.shape();
    }
  }
  // A slot belongs to the layer that reads it first, whatever its path.
  std::unordered_map<const Scope*, int64_t> learned, held;
  std::unordered_set<Value> counted;
  for (const Node* node : graph.nodes()) {
    for (const Value& input : node->inputs) {
      if (!input || input.kind() != Value::Kind::Slot || !counted.insert(input).second) continue;
      const Slot& slot = network.slots().at(input.name());
      if (slot.role != Role::Learned) continue;
      layers[node->scope].parameters += slot.numbers.size();
      ++learned[node->scope];
      held[node->scope] += slot.held;
    }
  }
  std::vector<LayerSummary> listed;
  for (const Scope* scope : graph.scopes()) {
    LayerSummary layer = layers[scope];
    layer.path = scope->path;
    layer.kind = scope->kind;
    layer.held = learned[scope] > 0 && held[scope] == learned[scope];
    listed.push_back(std::move(layer));
  }
  return listed;
}

int64_t parameter_count(const Network& network) {
  int64_t count = 0;
  for (size_t i = 0; i < network.slots().size(); ++i) {
    if (network.slots()[i].role == Role::Learned) count += network.slots()[i].numbers.size();
  }
  return count;
}

}  // namespace causeway::nn
