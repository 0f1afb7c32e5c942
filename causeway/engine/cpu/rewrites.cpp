#include "causeway/engine/cpu/rewrites.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "causeway/engine/cpu/private_ops.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {

Readers::Readers(const Draft& draft) : tasks(draft.values.size()), by_graph(draft.values.size(), false) {
  for (size_t i = 0; i < draft.tasks.size(); ++i) {
    for (const ValueId id : draft.tasks[i].inputs) {
      if (id == kAbsent) continue;
      std::vector<size_t>& readers = tasks[draft.root(id)];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
  for (const ValueId id : draft.outputs) by_graph[draft.root(id)] = true;
  for (const ValueId id : draft.guards) by_graph[draft.root(id)] = true;
  for (const DraftAssignment& assigned : draft.assigned) by_graph[draft.root(assigned.value)] = true;
}

size_t Readers::only_task(const Draft& draft, ValueId id) const {
  const ValueId root = draft.root(id);
  return by_graph[root] || tasks[root].size() != 1 ? SIZE_MAX : tasks[root][0];
}

size_t Readers::only_step(const Draft& draft, ValueId id) const {
  const size_t reader = only_task(draft, id);
  if (reader == SIZE_MAX) return SIZE_MAX;
  const ValueId root = draft.root(id);
  const Task& task = draft.tasks[reader];
  const auto keeps_lengths = [&](ValueId other) { return draft[other].lengths == draft[root].lengths; };
  const bool reads_as_made = std::all_of(task.inputs.begin(), task.inputs.end(), [&](ValueId input) {
    return input == kAbsent || draft.root(input) != root || keeps_lengths(input);
  });
  return reads_as_made && task.outputs.size() == 1 && keeps_lengths(task.outputs[0]) ? reader : SIZE_MAX;
}

bool Readers::is_read(const Draft& draft, ValueId id) const {
  const ValueId root = draft.root(id);
  return by_graph[root] || !tasks[root].empty();
}

std::vector<size_t> makers(const Draft& draft) {
  std::vector<size_t> made_by(draft.values.size(), SIZE_MAX);
  for (size_t i = 0; i < draft.tasks.size(); ++i) {
    for (const ValueId id : draft.tasks[i].outputs) made_by[id] = i;
  }
  return made_by;
}

std::optional<Bounds> bounds_of(const Op& op) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (op.is<ops::Relu>()) return Bounds{0, kInfinity};
  const auto* clip = op.as<ops::Clip>();
  if (!clip) return std::nullopt;
  const Bounds bounds{clip->low.value_or(-kInfinity), clip->high.value_or(kInfinity)};
  return bounds.low <= bounds.high ? std::optional(bounds) : std::nullopt;
}

bool is_constant(const Draft& draft, ValueId id) {
  const ValueId root = draft.root(id);
  const DraftValue& value = draft[root];
  if (value.home == DraftValue::Home::Slot) return !draft.is_assigned(value.index);
  if (value.home == DraftValue::Home::Input) return false;
  return std::any_of(draft.tasks.begin(), draft.tasks.end(), [&](const Task& task) {
    return task.is_prepared && std::find(task.outputs.begin(), task.outputs.end(), root) != task.outputs.end();
  });
}

std::optional<float> constant_number(const Draft& draft, ValueId id) {
  const DraftValue& value = draft[draft.root(id)];
  if (value.home != DraftValue::Home::Slot || draft.is_assigned(value.index)) return std::nullopt;
  const Slot& slot = draft.bound.slots.at(draft.slot_paths[value.index]);
  if (slot.role != Role::Constant || slot.numbers.dtype() != DType::Float32 || slot.numbers.size() != 1) {
    return std::nullopt;
  }
  return slot.numbers.values<float>()[0];
}

bool is_zero(const Draft& draft, ValueId id) { return constant_number(draft, id) == 0.0f; }

ValueId renamed(Draft& draft, ValueId id, std::vector<int64_t> lengths) {
  const ValueId other = draft.add(draft[id].dtype, std::move(lengths));
  draft.values[other].same_as = id;
  return other;
}

void sort_tasks(Draft& draft) {
  const std::vector<size_t> made_by = makers(draft);
  enum class State : uint8_t { New, Open, Done };
  std::vector<State> states(draft.tasks.size(), State::New);
  std::vector<size_t> order, open;
  for (size_t first = 0; first < draft.tasks.size(); ++first) {
    open.push_back(first);
    while (!open.empty()) {
      const size_t at = open.back();
      if (states[at] == State::Done) {
        open.pop_back();
        continue;
      }
      const bool was_open = std::exchange(states[at], State::Open) == State::Open;
      if (!was_open) {
        for (const ValueId id : draft.tasks[at].inputs) {
          const size_t maker = id == kAbsent ? SIZE_MAX : made_by[draft.root(id)];
          if (maker != SIZE_MAX && states[maker] == State::New) open.push_back(maker);
        }
        if (open.back() != at) continue;
      }
      states[at] = State::Done;
      order.push_back(at);
      open.pop_back();
    }
  }
  std::vector<Task> sorted;
  sorted.reserve(order.size());
  for (const size_t i : order) sorted.push_back(std::move(draft.tasks[i]));
  draft.tasks = std::move(sorted);
}

void drop_unread_shares(Draft& draft) {
  const Readers readers(draft);
  for (const Task& task : draft.tasks) {
    const bool is_attention = task.op.is<ops::Attention>() || task.op.is<AttentionInPlace>();
    if (is_attention && !readers.is_read(draft, task.outputs[1])) {
      draft.values[task.outputs[1]].lengths = {0};
    }
  }
}

void drop_unread(Draft& draft) {
  std::vector<bool> read(draft.values.size(), false);
  for (const ValueId id : draft.outputs) read[draft.root(id)] = true;
  for (const ValueId id : draft.guards) read[draft.root(id)] = true;
  for (const DraftAssignment& assigned : draft.assigned) read[draft.root(assigned.value)] = true;
  std::vector<Task> kept;
  for (size_t i = draft.tasks.size(); i-- > 0;) {
    Task& task = draft.tasks[i];
    if (std::none_of(task.outputs.begin(), task.outputs.end(), [&](ValueId id) { return read[draft.root(id)]; }))
      continue;
    for (const ValueId id : task.inputs) {
      if (id != kAbsent) read[draft.root(id)] = true;
    }
    kept.push_back(std::move(task));
  }
  std::reverse(kept.begin(), kept.end());
  draft.tasks = std::move(kept);
}

}  // namespace causeway::engine::cpu
