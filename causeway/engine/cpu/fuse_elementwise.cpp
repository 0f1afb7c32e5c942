#include <algorithm>
#include <map>
#include <utility>

#include "causeway/engine/cpu/operand.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

constexpr size_t kMostSteps = 48, kMostInputs = 32;

bool is_number_or_truth(DType dtype) { return dtype == DType::Float32 || dtype == DType::Bool; }

std::optional<Coded> step_of(const Op& op) {
  const auto* cast = op.as<ops::Cast>();
  if (cast && cast->to == DType::Float32) return Coded{Code::Copy, {}};  // from a truth
  return coded(op);
}

/// Tasks that become one kernel, in their order.
struct Unit {
  std::vector<size_t> tasks;
  bool is_fused = false;
};

class ElementwiseFuser {
 public:
  explicit ElementwiseFuser(Draft& draft)
      : draft_(draft),
        readers_(draft),
        made_by_(makers(draft)),
        unit_of_(draft.tasks.size()),
        visited_(draft.tasks.size()) {
    find_late();
  }

  void run() {
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      unit_of_[i] = units_.size();
      units_.push_back({{i}, is_fusible(draft_, draft_.tasks[i])});
      if (units_.back().is_fused) join_makers(i);
    }
    std::vector<Task> made;
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      const Unit& unit = units_[unit_of_[i]];
      if (unit.tasks.back() != i) continue;
      made.push_back(unit.is_fused ? fused(unit) : std::move(draft_.tasks[i]));
    }
    draft_.tasks = std::move(made);
    sort_tasks(draft_);
  }

 private:
  // Tasks that lead to assignments alone: they can wait for the guards, so they are kept apart from the others.
  void find_late() {
    is_late_.assign(draft_.tasks.size(), true);
    std::vector<size_t> early;
    const auto reach = [&](ValueId id) {
      const size_t maker = id == kAbsent ? SIZE_MAX : made_by_[draft_.root(id)];
      if (maker == SIZE_MAX || !is_late_[maker]) return;
      is_late_[maker] = false;
      early.push_back(maker);
    };
    for (const ValueId id : draft_.outputs) reach(id);
    for (const ValueId id : draft_.guards) reach(id);
    while (!early.empty()) {
      const size_t at = early.back();
      early.pop_back();
      for (const ValueId id : draft_.tasks[at].inputs) reach(id);
    }
  }

  // All units that make inputs of task i and may be one kernel with it; or, where that makes a circle, one of them.
  void join_makers(size_t i) {
    const Task& task = draft_.tasks[i];
    std::vector<size_t> candidates;
    for (const ValueId id : task.inputs) {
      const size_t maker = made_by_[draft_.root(id)];
      if (maker == SIZE_MAX || !may_join(maker, i)) continue;
      if (std::find(candidates.begin(), candidates.end(), unit_of_[maker]) == candidates.end()) {
        candidates.push_back(unit_of_[maker]);
      }
    }
    if (candidates.empty() || join(candidates, i)) return;
    for (const size_t candidate : candidates) {
      if (join({candidate}, i)) return;
    }
  }

  bool may_join(size_t maker, size_t i) const {
    const Task &a = draft_.tasks[maker], &b = draft_.tasks[i];
    return units_[unit_of_[maker]].is_fused && a.is_prepared == b.is_prepared && is_late_[maker] == is_late_[i] &&
           draft_[a.outputs[0]].size() == draft_[b.outputs[0]].size();
  }

  bool join(const std::vector<size_t>& with, size_t i) {
    std::vector<size_t> all{i};
    size_t inputs = draft_.tasks[i].inputs.size();
    for (const size_t unit : with) {
      all.insert(all.end(), units_[unit].tasks.begin(), units_[unit].tasks.end());
      for (const size_t task : units_[unit].tasks) inputs += draft_.tasks[task].inputs.size();
    }
    std::sort(all.begin(), all.end());
    if (all.size() > kMostSteps || inputs > 3 * kMostInputs || makes_circle(all)) return false;
    const size_t into = unit_of_[i];
    for (const size_t unit : with) units_[unit].tasks.clear();
    for (const size_t task : all) unit_of_[task] = into;
    units_[into].tasks = std::move(all);
    return true;
  }

  // Whether something outside the tasks stands between two of them.
  bool makes_circle(const std::vector<size_t>& all) {
    ++visit_;
    std::vector<size_t> open;
    const auto inside = [&](size_t task) { return std::binary_search(all.begin(), all.end(), task); };
    const auto go_up = [&](size_t from) {
      for (const ValueId id : draft_.tasks[from].inputs) {
        const size_t maker = id == kAbsent ? SIZE_MAX : made_by_[draft_.root(id)];
        if (maker == SIZE_MAX || visited_[maker] == visit_ || (inside(from) && inside(maker))) continue;
        if (inside(maker)) return true;
        visited_[maker] = visit_;
        open.push_back(maker);
      }
      return false;
    };
    for (const size_t task : all) {
      if (go_up(task)) return true;
    }
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      // All tasks of a unit run together.
      for (const size_t task : units_[unit_of_[at]].tasks) {
        if (task >= all.front() && go_up(task)) return true;
      }
    }
    return false;
  }

  Task fused(const Unit& unit) {
    FusedElementwise op;
    Task made{op, {}, {}, draft_.tasks[unit.tasks[0]].origin, draft_.tasks[unit.tasks[0]].is_prepared};
    op.count = draft_[draft_.tasks[unit.tasks[0]].outputs[0]].size();
    // Inputs first, since registers count from them.
    std::map<ValueId, size_t> step_of_value;
    for (size_t s = 0; s < unit.tasks.size(); ++s) step_of_value[draft_.tasks[unit.tasks[s]].outputs[0]] = s;
    std::vector<std::vector<std::pair<bool, size_t>>> reads(unit.tasks.size());
    for (size_t s = 0; s < unit.tasks.size(); ++s) {
      const Task& task = draft_.tasks[unit.tasks[s]];
      const std::vector<int64_t>& lengths = draft_[task.outputs[0]].lengths;
      for (const ValueId id : task.inputs) {
        const auto inner = step_of_value.find(draft_.root(id));
        if (inner != step_of_value.end()) {
          reads[s].emplace_back(true, inner->second);
        } else {
          reads[s].emplace_back(false,
                                input_of(made, op, id, operand_of(draft_[id].dtype, draft_[id].lengths, lengths)));
        }
      }
    }
    for (size_t s = 0; s < unit.tasks.size(); ++s) {
      const Task& task = draft_.tasks[unit.tasks[s]];
      const Coded coded = *step_of(task.op);
      FusedStep step{coded.code, coded.settings, {}};
      for (const auto& [is_step, at] : reads[s]) {
        step.from.push_back(static_cast<uint16_t>(is_step ? made.inputs.size() + at : at));
      }
      op.steps.push_back(std::move(step));
      if (is_read_outside(task.outputs[0], unit)) {
        made.outputs.push_back(task.outputs[0]);
        op.outputs.push_back(static_cast<uint16_t>(made.inputs.size() + s));
      }
    }
    made.op = std::move(op);
    return made;
  }

  static size_t input_of(Task& made, FusedElementwise& op, ValueId id, const Operand& operand) {
    for (size_t i = 0; i < made.inputs.size(); ++i) {
      const Operand& other = op.operands[i];
      if (made.inputs[i] == id && other.read == operand.read && other.period == operand.period &&
          other.inner == operand.inner && other.lengths == operand.lengths) {
        return i;
      }
    }
    made.inputs.push_back(id);
    op.operands.push_back(operand);
    return made.inputs.size() - 1;
  }

  bool is_read_outside(ValueId id, const Unit& unit) const {
    const std::vector<size_t>& tasks = readers_.tasks[id];
    return readers_.by_graph[id] || std::any_of(tasks.begin(), tasks.end(), [&](size_t task) {
             return !std::binary_search(unit.tasks.begin(), unit.tasks.end(), task);
           });
  }

  Draft& draft_;
  Readers readers_;
  std::vector<size_t> made_by_;
  std::vector<bool> is_late_;
  std::vector<Unit> units_;
  std::vector<size_t> unit_of_;
  std::vector<size_t> visited_;
  size_t visit_ = 0;
};

}  // namespace

bool is_fusible(const Draft& draft, const Task& task) {
  if (task.outputs.size() != 1 || !step_of(task.op)) return false;
  const DraftValue& y = draft[task.outputs[0]];
  if (!is_number_or_truth(y.dtype) || y.size() == 0) return false;
  return std::all_of(task.inputs.begin(), task.inputs.end(),
                     [&](ValueId id) { return id != kAbsent && is_number_or_truth(draft[id].dtype); });
}

void fuse_elementwise(Draft& draft) { ElementwiseFuser(draft).run(); }

}  // namespace causeway::engine::cpu
