#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/tensor/tensor.h"

namespace causeway {

/// Learned by training; measured by it (a running mean); or constant.
enum class Role { Learned, Measured, Constant };
std::string_view name_of(Role role);

/// l1 * sum |w| + l2 * sum w^2, added to the loss.
struct Penalty {
  float l1 = 0, l2 = 0;
  bool is_none() const { return l1 == 0 && l2 == 0; }
  friend bool operator==(const Penalty&, const Penalty&) = default;
};

/// After each optimizer step, w <- w * min(n, limit) / (1e-7 + n), n the norm over `axes`.
struct Bound {
  float limit = 0;
  std::vector<size_t> axes = {};
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// One parameter or buffer of a network: numbers under a path, with the rules of training them.
struct Slot {
  std::string path = {};
  /// Further names of a tied slot: a file may hold any of them, and a writer writes all.
  std::vector<std::string> also = {};
  Role role = Role::Learned;
  bool held = false;
  Penalty penalty = {};
  std::optional<Bound> max_norm = {};
  Tensor numbers = {};
  /// Raised by each assignment or load, so that packed and folded copies know that they are old.
  uint64_t version = 0;

  bool learns() const { return role == Role::Learned && !held; }
  /// Other numbers of the same dtype and lengths (a mistake of the program otherwise).
  void assign(Tensor other);
};

/// The slots of a network in its order, each path once. A copy has slots of its own that share numbers until written.
/// Two collections can also hold the very same slots (a training step's holds its network's, its memory and constants).
class Slots {
 public:
  Slots() = default;
  Slots(const Slots& other);
  Slots& operator=(const Slots& other);
  Slots(Slots&&) noexcept = default;
  Slots& operator=(Slots&&) noexcept = default;

  /// A new slot at the end; its path must be new.
  Slot& add(Slot slot);
  /// The very same slot, held by both collections from now on.
  void share(const std::shared_ptr<Slot>& slot);

  size_t size() const { return all_.size(); }
  Slot& operator[](size_t i) { return *all_[i]; }
  const Slot& operator[](size_t i) const { return *all_[i]; }
  const std::shared_ptr<Slot>& shared(size_t i) const { return all_[i]; }

  /// By path or by a further name; null where there is none.
  Slot* find(std::string_view path);
  const Slot* find(std::string_view path) const;
  std::shared_ptr<Slot> find_shared(std::string_view path) const;
  /// A mistake of the program where there is none.
  Slot& at(std::string_view path);
  const Slot& at(std::string_view path) const;
  /// Another name of a slot that is there.
  void tie(std::string_view path, std::string also);
  void erase(std::string_view path);

  /// A path not yet taken: `path`, or with _2, _3 … behind it.
  std::string free_path(std::string path) const;

 private:
  std::vector<std::shared_ptr<Slot>> all_;
  std::map<std::string, std::shared_ptr<Slot>, std::less<>> by_path_;
};

}  // namespace causeway
