#include <map>

#include "causeway/graph/graph.h"

namespace causeway {
namespace {

// Inputs and slots are shown by name, outputs of nodes as %0, %1 … in their order.
std::string shown(const Value& value, std::map<size_t, size_t>& numbers) {
  if (!value) return "-";
  if (value.kind() != Value::Kind::Output) return value.name();
  return "%" + std::to_string(numbers.try_emplace(value.index(), numbers.size()).first->second);
}

}  // namespace

std::string Graph::text() const {
  std::map<size_t, size_t> numbers;
  std::string text;
  for (const Door& door : inputs()) {
    text += "input " + door.name + ": " + door.value.type().text() + (door.axes.empty() ? "" : " " + door.axes) + "\n";
  }
  const Scope* scope = nullptr;
  for (const Node* node : nodes()) {
    if (node->scope != scope) {
      scope = node->scope;
      text += scope->path + (scope->kind.empty() ? ":\n" : " (" + scope->kind + "):\n");
    }
    text += "  ";
    for (size_t i = 0; i < node->outputs.size(); ++i) text += (i ? ", " : "") + shown(node->outputs[i], numbers);
    text += " = " + node->op.text() + " ";
    for (size_t i = 0; i < node->inputs.size(); ++i) text += (i ? ", " : "") + shown(node->inputs[i], numbers);
    text += "  -> " + (node->outputs.empty() ? "" : node->outputs[0].type().text()) + "\n";
  }
  for (const Door& door : outputs()) text += "output " + door.name + " = " + shown(door.value, numbers) + "\n";
  for (const Assignment& assigned : assignments()) {
    text += "assign " + assigned.path + " = " + shown(assigned.value, numbers) + "\n";
  }
  for (const Value& guard : guards()) text += "guard " + shown(guard, numbers) + "\n";
  return text;
}

}  // namespace causeway
