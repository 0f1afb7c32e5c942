#include <algorithm>
#include <unordered_map>

#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

// A sum, mean, largest, smallest or product of one number is that number, but in another shape.
bool totals_one_number(const Draft& draft, const Task& task) {
  const auto* reduce = task.op.as<ops::Reduce>();
  const bool is_total =
      (reduce && reduce->kind != ops::ReduceKind::LogSumExp) || task.op.is<ops::SumTo>() || task.op.is<ops::Expand>();
  return is_total && draft[task.inputs[0]].size() == draft[task.outputs[0]].size() && draft[task.inputs[0]].size() > 0;
}

}  // namespace

void simplify(Draft& draft) {
  std::unordered_map<ValueId, ValueId> relu_of;
  for (const Task& task : draft.tasks) {
    if (task.op.is<ops::Relu>()) relu_of.try_emplace(draft.root(task.inputs[0]), task.outputs[0]);
  }
  std::vector<Task> kept;
  for (Task& task : draft.tasks) {
    if (totals_one_number(draft, task)) {
      draft.values[task.outputs[0]].same_as = task.inputs[0];
      continue;
    }
    if (task.op.is<ops::Expand>() && is_fusible(draft, {ops::Identity{}, {task.inputs[0]}, task.outputs})) {
      // An element-wise copy, which spreads what it reads as any does.
      task.op = ops::Identity{};
      task.inputs.resize(1);
    }
    // relu(x) > 0 where x > 0, so what relu's gradient asks can be asked of its result, and x need not be kept.
    if (task.op.is<ops::Greater>() && is_zero(draft, task.inputs[1])) {
      const auto relu = relu_of.find(draft.root(task.inputs[0]));
      if (relu != relu_of.end() && draft[relu->second].lengths == draft[task.inputs[0]].lengths) {
        task.inputs[0] = relu->second;
      }
    }
    kept.push_back(std::move(task));
  }
  draft.tasks = std::move(kept);
  sort_tasks(draft);
  drop_unread(draft);
}

}  // namespace causeway::engine::cpu
