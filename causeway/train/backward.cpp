#include "causeway/train/backward.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/ops/build.h"
#include "causeway/passes/bind.h"

namespace causeway::train {
namespace {

using ValueSet = std::unordered_set<Value>;

// The values that depend on one of `to`.
ValueSet made_from(std::span<const Node* const> nodes, std::span<const Value> to) {
  ValueSet reached(to.begin(), to.end());
  for (const Node* node : nodes) {
    for (const Value& input : node->inputs) {
      if (!input || !reached.contains(input)) continue;
      reached.insert(node->outputs.begin(), node->outputs.end());
      break;
    }
  }
  return reached;
}

}  // namespace

Values gradients(GraphBuilder& graph, Value of, std::span<const Value> to) {
  // The nodes that stand before the walk adds its own.
  const std::vector<const Node*> nodes(graph.nodes().begin(), graph.nodes().end());
  const ValueSet needed = made_from(nodes, to);
  std::unordered_map<Value, Value> gradient_of;
  // For a value no gradient reached: the op that held it up.
  std::unordered_map<Value, const Node*> stopped_at;
  if (needed.contains(of)) gradient_of[of] = graph.scalar(1.0f);

  for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
    const Node& node = **at;
    Values dy;
    bool any = false;
    const Node* stopped = nullptr;
    for (const Value& output : node.outputs) {
      const auto found = gradient_of.find(output);
      dy.push_back(found == gradient_of.end() ? Value() : found->second);
      any = any || dy.back();
      if (const auto held_up = stopped_at.find(output); held_up != stopped_at.end()) stopped = held_up->second;
    }
    if (!any && !stopped) continue;
    const auto stop = [&](const Node* where) {
      for (const Value& input : node.inputs) {
        if (input && needed.contains(input) && is_floating(input.dtype())) stopped_at.try_emplace(input, where);
      }
    };
    if (!any) {
      stop(stopped);
      continue;
    }
    if (!node.op.has_gradient()) {
      stop(&node);
      continue;
    }
    const ScopeGuard scope = graph.scope_of(*node.scope);
    const Values dx = node.op.gradient(graph, node, dy);
    for (size_t i = 0; i < dx.size() && i < node.inputs.size(); ++i) {
      if (!dx[i] || !node.inputs[i] || !needed.contains(node.inputs[i])) continue;
      Value& sum = gradient_of[node.inputs[i]];
      sum = sum ? ops::add(sum, dx[i]) : dx[i];
    }
  }

  Values found;
  std::vector<Fault> faults;
  for (const Value& value : to) {
    const auto at = gradient_of.find(value);
    found.push_back(at == gradient_of.end() ? Value() : at->second);
    const auto stop = stopped_at.find(value);
    if (found.back() || stop == stopped_at.end()) continue;
    faults.push_back({"slot " + quoted(value.name()),
                      "it reaches the loss only through " + passes::place_of(*stop->second) + ", and " +
                          std::string(stop->second->op.no_gradient()) + " Hold it to train the others."});
  }
  refuse_if_any(std::move(faults));
  return found;
}

}  // namespace causeway::train
