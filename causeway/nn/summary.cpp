#include "causeway/nn/summary.h"

#include <unordered_map>
#include <unordered_set>

namespace causeway::nn {
namespace {

// Which layer each slot belongs to: the one with the longest path above it.
const Scope* owner_of(const Slot& slot, std::span<const Scope* const> scopes) {
  const Scope* owner = nullptr;
  for (const Scope* scope : scopes) {
    if (scope->path.find('#') != std::string::npos || scope->path.empty() || !lies_beneath(slot.path, scope->path))
      continue;
    if (!owner || scope->path.size() > owner->path.size()) owner = scope;
  }
  return owner;
}

}  // namespace

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
  std::unordered_map<const Scope*, int64_t> learned, held;
  // Slots are counted where the graph reads them, tied ones once.
  for (size_t i = 0; i < network.slots().size(); ++i) {
    const Slot& slot = network.slots()[i];
    if (slot.role != Role::Learned) continue;
    const Scope* owner = owner_of(slot, graph.scopes());
    if (!owner) continue;
    layers[owner].parameters += slot.numbers.size();
    ++learned[owner];
    held[owner] += slot.held;
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
