#include <algorithm>

#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"

namespace causeway::engine::cpu {

void share_memory(Draft& draft) {
  Readers readers(draft);
  const std::vector<size_t> made_by = makers(draft);
  for (size_t i = 0; i < draft.tasks.size(); ++i) {
    const Task& task = draft.tasks[i];
    const auto* conv = task.op.as<BlockedConv>();
    if (!conv || !conv->problem.adds || draft.root(task.outputs[0]) != task.outputs[0]) continue;
    const ValueId y = task.outputs[0], added = draft.root(task.inputs[3]);
    const bool is_own = made_by[added] != SIZE_MAX && !draft.tasks[made_by[added]].is_prepared &&
                        !readers.by_graph[added] && draft.root(task.inputs[0]) != added &&
                        draft[added].size() == draft[task.outputs[0]].size();
    const bool is_last = std::all_of(readers.tasks[added].begin(), readers.tasks[added].end(),
                                     [&](size_t reader) { return reader <= i; });
    if (!is_own || !is_last) continue;
    draft.values[y].same_as = added;
    // Who reads y reads that memory from now on.
    readers.tasks[added].insert(readers.tasks[added].end(), readers.tasks[y].begin(), readers.tasks[y].end());
    readers.by_graph[added] = readers.by_graph[y];
  }
}

}  // namespace causeway::engine::cpu
