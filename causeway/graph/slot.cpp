#include "causeway/graph/slot.h"

#include "causeway/base/check.h"

namespace causeway {

std::string_view name_of(Role role) {
  switch (role) {
    case Role::Learned:
      return "learned";
    case Role::Measured:
      return "measured";
    case Role::Constant:
      return "constant";
  }
  return "";
}

void Slot::assign(Tensor other) {
  CAUSEWAY_CHECK(other.dtype() == numbers.dtype() && other.lengths() == numbers.lengths(),
                 "a slot keeps its dtype and lengths");
  numbers = std::move(other);
  ++version;
}

Slots::Slots(const Slots& other) {
  for (const std::shared_ptr<Slot>& slot : other.all_) share(std::make_shared<Slot>(*slot));
}

Slots& Slots::operator=(const Slots& other) {
  Slots copied(other);
  *this = std::move(copied);
  return *this;
}

Slot& Slots::add(Slot slot) {
  auto held = std::make_shared<Slot>(std::move(slot));
  share(held);
  return *held;
}

void Slots::share(const std::shared_ptr<Slot>& slot) {
  CAUSEWAY_CHECK(!find(slot->path), "a slot's path is new");
  all_.push_back(slot);
  by_path_[slot->path] = slot;
  for (const std::string& also : slot->also) by_path_[also] = slot;
}

Slot* Slots::find(std::string_view path) { return find_shared(path).get(); }
const Slot* Slots::find(std::string_view path) const { return find_shared(path).get(); }

std::shared_ptr<Slot> Slots::find_shared(std::string_view path) const {
  const auto at = by_path_.find(path);
  return at == by_path_.end() ? nullptr : at->second;
}

Slot& Slots::at(std::string_view path) {
  Slot* slot = find(path);
  CAUSEWAY_CHECK(slot, "the slot is there");
  return *slot;
}

const Slot& Slots::at(std::string_view path) const { return const_cast<Slots*>(this)->at(path); }

void Slots::tie(std::string_view path, std::string also) {
  const std::shared_ptr<Slot> slot = find_shared(path);
  CAUSEWAY_CHECK(slot && !find(also), "a slot that is there gets a name that is new");
  slot->also.push_back(also);
  by_path_[std::move(also)] = slot;
}

void Slots::erase(std::string_view path) {
  const std::shared_ptr<Slot> slot = find_shared(path);
  if (!slot) return;
  std::erase(all_, slot);
  std::erase_if(by_path_, [&](const auto& entry) { return entry.second == slot; });
}

std::string Slots::free_path(std::string path) const {
  if (!find(path)) return path;
  for (int n = 2;; ++n) {
    std::string numbered = path + "_" + std::to_string(n);
    if (!find(numbered)) return numbered;
  }
}

}  // namespace causeway
