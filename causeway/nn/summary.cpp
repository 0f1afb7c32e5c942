#include "causeway/nn/summary.h"

#include <unordered_map>
#include <unordered_set>

#include "causeway/base/quoted.h"

namespace causeway::nn {
namespace {

using Summaries = std::unordered_map<const Scope*, LayerSummary>;

// A mask is a value of truths that goes from one layer, or an input, to another beside what that works on.
void find_masks(const Graph& graph, Summaries& layers) {
  std::unordered_set<const Scope*> reads_numbers;
  const auto from_outside = [](const Node& node, const Value& input) {
    return input && input.kind() != Value::Kind::Slot && !(input.node() && input.node()->scope == node.scope);
  };
  for (const Node* node : graph.nodes()) {
    for (const Value& input : node->inputs) {
      if (from_outside(*node, input) && input.dtype() != DType::Bool) reads_numbers.insert(node->scope);
    }
  }
  for (const Node* node : graph.nodes()) {
    for (const Value& input : node->inputs) {
      if (!from_outside(*node, input) || input.dtype() != DType::Bool || !reads_numbers.contains(node->scope)) continue;
      layers[node->scope].reads_mask = true;
      if (input.node()) layers[input.node()->scope].makes_mask = true;
    }
  }
}

}  // namespace

std::string training_rules(const Slot& slot) {
  std::string rules;
  const auto add = [&](const std::string& rule) { rules += (rules.empty() ? "" : ", ") + rule; };
  if (slot.penalty.l1 != 0) add("l1 " + text_of(slot.penalty.l1));
  if (slot.penalty.l2 != 0) add("l2 " + text_of(slot.penalty.l2));
  if (slot.max_norm) add("norm at most " + text_of(slot.max_norm->limit));
  return rules;
}

std::vector<LayerSummary> summary_of(const Network& network) {
  const Graph& graph = network.graph();
  Summaries layers;
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
      layers[node->scope].slots.push_back(slot.path);
    }
  }
  find_masks(graph, layers);
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
