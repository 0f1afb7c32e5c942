#include "causeway/engine/cpu/norm_rows.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {

void piece_totals(Draft& draft) {
  const size_t count = draft.tasks.size();
  const Readers readers(draft);
  for (size_t i = 0; i < count; ++i) {
    Task& task = draft.tasks[i];
    const auto* op = task.op.as<ops::LayerNormGradient>();
    const std::optional<NormRuns> runs = op ? norm_runs(draft[task.inputs[1]], op->axes) : std::nullopt;
    if (!runs) continue;
    RowNormsGradient pieced;
    pieced.axes = op->axes, pieced.epsilon = op->epsilon, pieced.rms = op->rms;
    task.op = pieced;
    const ValueId dweight = task.outputs[1], dbias = task.outputs[2];
    if (!readers.is_read(draft, dweight) && !readers.is_read(draft, dbias)) {
      // Nothing is written there then.
      draft.values[dweight].lengths = draft.values[dbias].lengths = {0};
      continue;
    }
    if (runs->pieces() == 1) continue;
    for (const size_t of : {size_t{1}, size_t{2}}) {
      const ValueId total = draft.tasks[i].outputs[of];
      std::vector<int64_t> lengths = draft[total].lengths;
      lengths.insert(lengths.begin(), static_cast<int64_t>(runs->pieces()));
      const ValueId parts = draft.add(DType::Float32, std::move(lengths));
      draft.tasks[i].outputs[of] = parts;
      draft.tasks.push_back({ops::Reduce{.kind = ops::ReduceKind::Sum, .axes = {0}, .keepdims = false},
                             {parts},
                             {total},
                             draft.tasks[i].origin,
                             draft.tasks[i].is_prepared});
    }
  }
  sort_tasks(draft);
  drop_unread(draft);
}

}  // namespace causeway::engine::cpu
