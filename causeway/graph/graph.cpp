#include "causeway/graph/graph.h"

#include "causeway/graph/storage.h"

namespace causeway {

Graph::Graph() : storage_(std::make_shared<Storage>()) {}

std::span<const Node* const> Graph::nodes() const { return storage_->nodes; }
std::span<const Door> Graph::inputs() const { return storage_->inputs; }
std::span<const Door> Graph::outputs() const { return storage_->outputs; }
std::span<const SlotUse> Graph::slots() const { return storage_->slots; }
std::span<const Assignment> Graph::assignments() const { return storage_->assignments; }
std::span<const Value> Graph::guards() const { return storage_->guards; }
std::span<const Scope* const> Graph::scopes() const { return storage_->scopes; }
size_t Graph::value_count() const { return storage_->uses.size(); }
size_t Graph::uses(Value value) const { return storage_->uses[value.index()]; }

namespace {

const Door* named(std::span<const Door> doors, std::string_view name) {
  for (const Door& door : doors) {
    if (door.name == name) return &door;
  }
  return nullptr;
}

}  // namespace

const Door* Graph::input(std::string_view name) const { return named(inputs(), name); }
const Door* Graph::output(std::string_view name) const { return named(outputs(), name); }

}  // namespace causeway
