#include "causeway/graph/network.h"

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway {

bool lies_beneath(std::string_view path, std::string_view above) {
  if (!path.starts_with(above)) return false;
  if (path.size() == above.size() || above.empty()) return true;
  const char next = path[above.size()];
  return next == '.' || next == '/' || next == '#';
}

bool LayerHandle::is_held() const {
  bool learns = false;
  for (const std::string& path : slots_) {
    const Slot& slot = network_.slots().at(path);
    if (slot.role != Role::Learned) continue;
    if (!slot.held) return false;
    learns = true;
  }
  return learns;
}

void LayerHandle::set_held(bool held) {
  for (const std::string& path : slots_) network_.slots().at(path).held = held;
}

std::vector<std::string> Network::slots_beneath(std::string_view path) const {
  std::vector<std::string> found;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (lies_beneath(slots_[i].path, path)) found.push_back(slots_[i].path);
  }
  return found;
}

bool Network::has_path(std::string_view path) const {
  if (!slots_beneath(path).empty()) return true;
  for (const Scope* scope : graph_.scopes()) {
    if (lies_beneath(scope->path, path)) return true;
  }
  return false;
}

Network& Network::operator=(const Network& other) {
  Network copied(other);
  *this = std::move(copied);
  return *this;
}

void Network::set_graph(Graph graph) {
  graph_ = std::move(graph);
  companion_ = nullptr;
}

std::shared_ptr<Companion> Network::companion(const std::function<std::shared_ptr<Companion>()>& make) const {
  std::shared_ptr<Companion> there = std::atomic_load(&companion_);
  if (there) return there;
  std::shared_ptr<Companion> made = make();
  // Where two threads make one at once, the first stays.
  return std::atomic_compare_exchange_strong(&companion_, &there, made) ? made : there;
}

LayerHandle Network::layer(std::string_view path) {
  if (!has_path(path)) throw Refused("path " + quoted(path), "no layer, slot or scope of this network has this path.");
  return LayerHandle(*this, slots_beneath(path));
}

}  // namespace causeway
