#include <cstring>
#include <utility>

#include "causeway/base/check.h"
#include "causeway/graph/graph.h"
#include "causeway/graph/storage.h"

namespace causeway {

ScopeGuard::~ScopeGuard() { builder_.open_ = before_; }

GraphBuilder::GraphBuilder(Slots& slots) : slots_(slots), storage_(std::make_shared<Graph::Storage>()) {
  storage_->made_scopes.push_back({});
  open_ = &storage_->made_scopes.back();
  scopes_by_path_[open_->path].push_back(open_);
}

Value GraphBuilder::make(ValueData data) {
  data.builder = this;
  data.index = storage_->made_values.size();
  storage_->made_values.push_back(std::move(data));
  return Value(&storage_->made_values.back());
}

Value GraphBuilder::input(std::string name, Type type, std::string axes) {
  for (const Door& door : storage_->inputs) CAUSEWAY_CHECK(door.name != name, "an input's name is new");
  const Value value = make({.kind = Value::Kind::Input, .type = std::move(type), .name = name});
  storage_->inputs.push_back({std::move(name), value, std::move(axes)});
  return value;
}

void GraphBuilder::name_axes(std::string_view input, std::string axes) {
  for (Door& door : storage_->inputs) {
    if (door.name == input) door.axes = axes;
  }
}

Value GraphBuilder::shared_input(std::string_view name, const Type& type) {
  for (const Door& door : storage_->inputs) {
    if (door.name == name) return door.value;
  }
  return input(std::string(name), type);
}

Value GraphBuilder::slot(std::string_view path) {
  for (auto assigned = storage_->assignments.rbegin(); assigned != storage_->assignments.rend(); ++assigned) {
    if (assigned->path == path) return assigned->value;
  }
  const Slot& slot = slots_.at(path);
  if (const auto at = slot_values_.find(slot.path); at != slot_values_.end()) return at->second;
  Type type = slot.role == Role::Constant ? Type::of(slot.numbers) : Type::open(slot.numbers);
  const Value value = make({.kind = Value::Kind::Slot, .type = std::move(type), .name = slot.path});
  slot_values_[slot.path] = value;
  storage_->slots.push_back({slot.path, value});
  return value;
}

Value GraphBuilder::declare(Slot slot) {
  const std::string path = slots_.add(std::move(slot)).path;
  return this->slot(path);
}

Value GraphBuilder::constant(Tensor numbers, std::string_view what) {
  const std::string base = open_->path.empty() ? "/" + std::string(what) : open_->path + "/" + std::string(what);
  std::string path = base;
  for (int n = 2;; ++n) {
    const Slot* taken = slots_.find(path);
    if (!taken) break;
    if (taken->role == Role::Constant && taken->numbers.same_bits(numbers)) return slot(path);
    path = base + "_" + std::to_string(n);
  }
  return declare({.path = path, .role = Role::Constant, .numbers = std::move(numbers)});
}

Value GraphBuilder::scalar(float number) { return constant(Tensor::scalar(number), text_of(number)); }

Value GraphBuilder::scalar(int64_t number) { return constant(Tensor::scalar(number), std::to_string(number)); }

Values GraphBuilder::add(Op op, Values inputs) {
  Types types;
  types.reserve(inputs.size());
  bool all_known = folder_ != nullptr;
  for (const Value& input : inputs) {
    types.push_back(input ? input.type() : Type{});
    all_known = all_known && input && input.type().known;
  }
  Types outputs = op.infer(types);
  if (all_known) {
    std::vector<Tensor> known;
    for (const Type& type : types) known.push_back(*type.known);
    if (std::optional<std::vector<Tensor>> folded = folder_(op, known)) {
      for (size_t i = 0; i < outputs.size() && i < folded->size(); ++i) outputs[i] = Type::of((*folded)[i]);
    }
  }
  return add_typed(std::move(op), std::move(inputs), std::move(outputs));
}

Value GraphBuilder::add1(Op op, Values inputs) {
  Values outputs = add(std::move(op), std::move(inputs));
  CAUSEWAY_CHECK(outputs.size() == 1, "an op of one output");
  return outputs[0];
}

Values GraphBuilder::add_typed(Op op, Values inputs, Types outputs) {
  for (const Value& input : inputs) {
    CAUSEWAY_CHECK(!input || &input.graph() == this, "a node reads values of its own graph");
  }
  storage_->made_nodes.push_back({std::move(op), open_, std::move(inputs), {}, storage_->made_nodes.size()});
  Node& node = storage_->made_nodes.back();
  storage_->nodes.push_back(&node);
  for (size_t i = 0; i < outputs.size(); ++i) {
    node.outputs.push_back(
        make({.kind = Value::Kind::Output, .type = std::move(outputs[i]), .node = &node, .output_index = i}));
  }
  return node.outputs;
}

ScopeGuard GraphBuilder::scope(std::string path, std::string kind, std::string settings) {
  const int times = ++times_opened_[path];
  if (times > 1) path += "#" + std::to_string(times);
  return scope_of({std::move(path), std::move(kind), std::move(settings)});
}

ScopeGuard GraphBuilder::scope_of(const Scope& scope) {
  const Scope* before = open_;
  std::vector<const Scope*>& of_path = scopes_by_path_[scope.path];
  for (const Scope* made : of_path) {
    if (*made == scope) {
      open_ = made;
      return ScopeGuard(*this, before);
    }
  }
  int& times = times_opened_[std::string(scope.slot_path())];
  const size_t mark = scope.path.find('#');
  times = std::max(times, mark == std::string::npos ? 1 : std::atoi(scope.path.c_str() + mark + 1));
  storage_->made_scopes.push_back(scope);
  open_ = &storage_->made_scopes.back();
  of_path.push_back(open_);
  return ScopeGuard(*this, before);
}

const Scope& GraphBuilder::scope() const { return *open_; }

void GraphBuilder::output(std::string name, Value value, std::string axes) {
  CAUSEWAY_CHECK(value, "an output has a value");
  storage_->outputs.push_back({std::move(name), value, std::move(axes)});
}

void GraphBuilder::assign(std::string_view path, Value value) {
  const Slot& slot = slots_.at(path);
  CAUSEWAY_CHECK(value.dtype() == slot.numbers.dtype(), "a slot is assigned in its own dtype");
  for (Assignment& assigned : storage_->assignments) {
    if (assigned.path == slot.path) {
      assigned.value = value;
      return;
    }
  }
  storage_->assignments.push_back({slot.path, value});
}

void GraphBuilder::guard(Value value) { storage_->guards.push_back(value); }

std::span<const Door> GraphBuilder::inputs() const { return storage_->inputs; }
std::span<const Node* const> GraphBuilder::nodes() const { return storage_->nodes; }

Graph GraphBuilder::finish() && {
  Graph::Storage& all = *storage_;
  std::vector<bool> lives(all.made_values.size(), false);
  std::vector<bool> node_lives(all.made_nodes.size(), false);
  std::vector<Value> to_visit;
  const auto reach = [&](const Value& value) {
    if (!value || lives[value.index()]) return;
    lives[value.index()] = true;
    to_visit.push_back(value);
  };
  for (const Door& door : all.outputs) reach(door.value);
  for (const Assignment& assigned : all.assignments) reach(assigned.value);
  for (const Value& guard : all.guards) reach(guard);
  while (!to_visit.empty()) {
    const Node* node = to_visit.back().node();
    to_visit.pop_back();
    if (!node || node_lives[node->index]) continue;
    node_lives[node->index] = true;
    for (const Value& input : node->inputs) reach(input);
  }

  std::erase_if(all.nodes, [&](const Node* node) { return !node_lives[node->index]; });
  std::erase_if(all.slots, [&](const SlotUse& use) { return !lives[use.value.index()]; });
  size_t values = 0;
  for (const Door& door : all.inputs) door.value.data_->index = values++;
  for (const SlotUse& use : all.slots) use.value.data_->index = values++;
  for (const Node* node : all.nodes) {
    for (const Value& output : node->outputs) output.data_->index = values++;
  }
  all.uses.assign(values, 0);
  size_t index = 0;
  for (Node& node : all.made_nodes) {
    if (!node_lives[node.index]) continue;
    for (const Value& input : node.inputs) {
      if (input) ++all.uses[input.index()];
    }
  }
  for (Node& node : all.made_nodes) {
    if (node_lives[node.index]) node.index = index++;
  }
  for (const Door& door : all.outputs) ++all.uses[door.value.index()];
  for (const Assignment& assigned : all.assignments) ++all.uses[assigned.value.index()];
  for (const Value& guard : all.guards) ++all.uses[guard.index()];
  for (const Node* node : all.nodes) {
    if (std::find(all.scopes.begin(), all.scopes.end(), node->scope) == all.scopes.end()) {
      all.scopes.push_back(node->scope);
    }
  }
  for (ValueData& value : all.made_values) value.builder = nullptr;
  return Graph(std::exchange(storage_, nullptr));
}

}  // namespace causeway
