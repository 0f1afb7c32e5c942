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

LayerHandle Network::layer(std::string_view path) {
  if (!has_path(path)) throw Refused("path " + quoted(path), "no layer, slot or scope of this network has this path.");
  return LayerHandle(*this, slots_beneath(path));
}

}  // namespace causeway
