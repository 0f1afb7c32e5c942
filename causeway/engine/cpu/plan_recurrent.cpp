#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/recurrent_sizes.h"
#include "causeway/engine/cpu/recurrent_steps.h"
#include "causeway/engine/cpu/rewrites.h"

namespace causeway::engine::cpu {
namespace {

class RecurrentPlanner {
 public:
  explicit RecurrentPlanner(Draft& draft) : draft_(draft) {}

  void run() {
    for (const Task& task : draft_.tasks) {
      const auto* forward = task.op.as<ops::Recurrent>();
      const auto* back = task.op.as<ops::RecurrentGradient>();
      if (forward && fits(*forward, draft_[task.outputs[0]])) {
        walk(task, *forward);
      } else if (back && fits(back->of, draft_[task.inputs[3]])) {
        walk_back(task, back->of);
      } else {
        made_.push_back(task);
      }
    }
    draft_.tasks = std::move(made_);
    sort_tasks(draft_);
    drop_unread(draft_);
  }

 private:
  static bool fits(const ops::Recurrent& op, const DraftValue& shown) {
    return shown.dtype == DType::Float32 && shown.size() > 0 && walks(op);
  }

  // The weight as a walk reads it, packed once where it is constant.
  ValueId packed(const Task& task, ValueId weight, Op op, std::vector<int64_t> lengths) {
    const ValueId made = draft_.add(DType::Float32, std::move(lengths));
    made_.push_back({std::move(op), {weight}, {made}, task.origin, task.is_prepared || is_constant(draft_, weight)});
    return made;
  }

  void walk(Task task, const ops::Recurrent& op) {
    const int64_t hidden = draft_[task.outputs[0]].lengths[2];
    const size_t size = packed_gates_size(static_cast<size_t>(op.gates()), static_cast<size_t>(hidden));
    PackGates pack;
    pack.together = resets_before_product(op) ? 2 : op.gates();
    task.inputs[1] = packed(task, task.inputs[1], pack, {static_cast<int64_t>(size)});
    WalkedRecurrent walked;
    walked.of = op;
    task.op = walked;
    made_.push_back(std::move(task));
  }

  void walk_back(Task task, const ops::Recurrent& op) {
    const ValueId weight = task.inputs[4], da = task.outputs[0];
    const auto input = [&](size_t i) { return i < task.inputs.size() ? task.inputs[i] : kAbsent; };
    WalkedWeightGradient totals;
    totals.of = op;
    Task weight_task{totals, {da, kAbsent, task.inputs[3], input(5), input(6)}, {task.outputs[1], task.outputs[2]}};
    weight_task.origin = task.origin, weight_task.is_prepared = task.is_prepared;
    PackMatrix pack;
    pack.transposed = true;
    task.inputs[4] = packed(task, weight, pack, packed_lengths(draft_[weight].lengths, true));
    WalkedBack walked;
    walked.of = op;
    task.op = walked;
    std::vector<ValueId> outputs = {da, task.outputs[3]};
    if (op.cell == ops::CellKind::Lstm) outputs.push_back(task.outputs[4]);
    if (op.cell == ops::CellKind::Gru) {
      outputs.push_back(draft_.add(DType::Float32, draft_[task.inputs[3]].lengths));
      if (op.reset_after) {
        weight_task.inputs[1] = outputs.back();
      } else {
        weight_task.inputs.push_back(outputs.back());
      }
    }
    task.outputs = std::move(outputs);
    made_.push_back(std::move(task));
    made_.push_back(std::move(weight_task));
  }

  Draft& draft_;
  std::vector<Task> made_;
};

}  // namespace

void plan_recurrent(Draft& draft) { RecurrentPlanner(draft).run(); }

}  // namespace causeway::engine::cpu
