#include <algorithm>
#include <map>

#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"

namespace causeway::engine::cpu {
namespace {

class Placer {
 public:
  explicit Placer(Draft& draft) : draft_(draft), readers_(draft) {
    for (const DraftAssignment& assigned : draft_.assigned) ++times_assigned_[draft_.root(assigned.value)];
    for (const ValueId id : draft_.outputs) shown_.push_back(draft_.root(id));
    for (const ValueId id : draft_.guards) shown_.push_back(draft_.root(id));
  }

  void run() {
    for (Task& task : draft_.tasks) {
      if (!task.is_prepared && only_assigns(task)) task.after_guards = true;
    }
    for (const DraftAssignment& assigned : draft_.assigned) place(assigned);
  }

 private:
  // Element-wise, so that no data can make it fail, and read by assignments alone.
  bool only_assigns(const Task& task) const {
    return task.op.is<FusedElementwise>() && std::all_of(task.outputs.begin(), task.outputs.end(), [&](ValueId id) {
             return times_assigned_.contains(id) && readers_.tasks[id].empty() &&
                    std::find(shown_.begin(), shown_.end(), id) == shown_.end();
           });
  }

  // A value goes straight into its slot where every other reader of the old numbers has run by then.
  void place(const DraftAssignment& assigned) {
    const ValueId slot = draft_.slots[assigned.slot], value = draft_.root(assigned.value);
    const auto maker = std::find_if(draft_.tasks.begin(), draft_.tasks.end(), [&](const Task& task) {
      return std::find(task.outputs.begin(), task.outputs.end(), value) != task.outputs.end();
    });
    if (maker == draft_.tasks.end() || !maker->after_guards || times_assigned_.at(value) > 1) return;
    for (const size_t i : readers_.tasks[slot]) {
      const Task& reader = draft_.tasks[i];
      if (&reader == &*maker ? !reads_whole(reader, slot) : reader.after_guards) return;
    }
    if (readers_.by_graph[slot]) return;
    draft_.values[value].same_as = slot;
  }

  bool reads_whole(const Task& task, ValueId slot) const {
    const auto& op = *task.op.as<FusedElementwise>();
    for (size_t i = 0; i < task.inputs.size(); ++i) {
      if (draft_.root(task.inputs[i]) == slot && op.operands[i].read != Operand::Read::Whole) return false;
    }
    return true;
  }

  Draft& draft_;
  Readers readers_;
  std::map<ValueId, int> times_assigned_;
  std::vector<ValueId> shown_;
};

}  // namespace

void place_assignments(Draft& draft) { Placer(draft).run(); }

}  // namespace causeway::engine::cpu
