#include "causeway/graph/rewrite.h"

namespace causeway {

ValueMap copy_nodes(GraphBuilder& into, const Graph& graph, const NodeRule& rule, ValueMap made) {
  for (const Door& door : graph.inputs()) {
    if (!made.contains(door.value)) made[door.value] = into.input(door.name, door.value.type(), door.axes);
  }
  for (const SlotUse& use : graph.slots()) {
    if (!made.contains(use.value)) made[use.value] = into.slot(use.path);
  }
  for (const Node* node : graph.nodes()) {
    Values inputs;
    inputs.reserve(node->inputs.size());
    for (const Value& input : node->inputs) inputs.push_back(input ? made.at(input) : Value());
    const ScopeGuard scope = into.scope_of(*node->scope);
    std::optional<Values> outputs = rule ? rule(into, *node, inputs) : std::nullopt;
    if (!outputs) outputs = into.add(node->op, inputs);
    for (size_t i = 0; i < node->outputs.size(); ++i) made[node->outputs[i]] = (*outputs)[i];
  }
  return made;
}

Graph rewritten(const Graph& graph, Slots& slots, const NodeRule& rule) {
  GraphBuilder builder(slots);
  const ValueMap made = copy_nodes(builder, graph, rule);
  for (const Door& door : graph.outputs()) builder.output(door.name, made.at(door.value), door.axes);
  for (const Assignment& assigned : graph.assignments()) builder.assign(assigned.path, made.at(assigned.value));
  for (const Value& guard : graph.guards()) builder.guard(made.at(guard));
  return std::move(builder).finish();
}

}  // namespace causeway
