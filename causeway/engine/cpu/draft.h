#pragma once

#include <cstdint>
#include <vector>

#include "causeway/graph/graph.h"
#include "causeway/passes/bind.h"

namespace causeway::engine::cpu {

using ValueId = uint32_t;
/// An input that is absent.
inline constexpr ValueId kAbsent = UINT32_MAX;

/// One tensor of a draft.
struct DraftValue {
  enum class Home { Input, Slot, Made };

  DType dtype = DType::Float32;
  std::vector<int64_t> lengths;
  Home home = Home::Made;
  /// Which input, or which of the graph's slots.
  size_t index = 0;
  /// Another value whose numbers these are, under other lengths.
  ValueId same_as = kAbsent;

  int64_t size() const;
  size_t size_bytes() const { return static_cast<size_t>(size()) * size_of(dtype); }
};

/// One op of a draft, to become one kernel.
struct Task {
  Op op;
  std::vector<ValueId> inputs, outputs;
  /// The node it came from, for faults.
  const Node* origin = nullptr;
  /// Whether it depends on slots alone that the graph does not assign: worked when their versions rise, not in each run.
  bool is_prepared = false;
  /// Whether it only works out what slots are assigned, and runs where the guards are finite.
  bool after_guards = false;
};

/// What a slot is assigned.
struct DraftAssignment {
  size_t slot = 0;
  ValueId value = kAbsent;
};

/// A bound graph as the engine rewrites it. Tasks stand below what they read.
struct Draft {
  passes::BoundGraph bound;
  std::vector<DraftValue> values;
  std::vector<Task> tasks;
  /// The graph's inputs, and the slots it reads or assigns, in its order.
  std::vector<ValueId> inputs, slots;
  std::vector<std::string> slot_paths;
  std::vector<ValueId> outputs, guards;
  std::vector<DraftAssignment> assigned;

  const DraftValue& operator[](ValueId id) const { return values[id]; }
  /// The value whose memory holds the numbers of `id`.
  ValueId root(ValueId id) const;
  ValueId add(DType dtype, std::vector<int64_t> lengths);
  bool is_assigned(size_t slot) const;
  bool is_variable(ValueId id) const;
};

/// The draft of a bound graph, task for node; what only renames axes has become a value without a task.
Draft drafted(passes::BoundGraph bound);

}  // namespace causeway::engine::cpu
