#include <algorithm>
#include <optional>

#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/cpu/slices.h"
#include "causeway/ops/op_list.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

/// A value that is columns of another one.
struct Columns {
  ValueId of = kAbsent;
  int64_t first = 0;
};

// [rows, steps, columns] that a task copies from a value of more columns.
std::optional<Columns> copied_columns(const Draft& draft, const Task& task, ValueId made) {
  const DraftValue& base = draft[task.inputs[0]];
  if (base.lengths.size() != 3 || base.dtype != DType::Float32) return std::nullopt;
  if (const auto* split = task.op.as<ops::Split>()) {
    if (axis_in(split->axis, 3) != 2) return std::nullopt;
    Columns columns{task.inputs[0], 0};
    for (const ValueId part : task.outputs) {
      if (part == made) return columns;
      columns.first += draft[part].lengths[2];
    }
    return std::nullopt;
  }
  if (!task.op.is<ops::Slice>()) return std::nullopt;
  const auto slices = slices_of(draft, task, 1, base.lengths);
  if (!slices) return std::nullopt;
  for (size_t axis = 0; axis < 2; ++axis) {
    const ops::SliceRange& range = (*slices)[axis];
    if (range.start != 0 || range.step != 1 || range.count != base.lengths[axis]) return std::nullopt;
  }
  return (*slices)[2].step == 1 ? std::optional(Columns{task.inputs[0], (*slices)[2].start}) : std::nullopt;
}

// Those of the three operands from input `first` on that are copies of columns become what is copied; none: there are no
// such.
std::optional<AttentionColumns> columns_of(const Draft& draft, const std::vector<size_t>& made_by, Task& task,
                                           size_t first) {
  AttentionColumns columns;
  bool any = false;
  for (size_t i = 0; i < 3; ++i) {
    const ValueId id = task.inputs[first + i];
    if (draft[id].dtype != DType::Float32 || draft[id].size() == 0) return std::nullopt;
    columns.count[i] = draft[id].lengths[2];
  }
  for (size_t i = 0; i < 3; ++i) {
    ValueId& id = task.inputs[first + i];
    const size_t maker = draft.root(id) == id ? made_by[id] : SIZE_MAX;
    if (maker == SIZE_MAX || draft.tasks[maker].is_prepared != task.is_prepared) continue;
    const std::optional<Columns> copied = copied_columns(draft, draft.tasks[maker], id);
    if (!copied) continue;
    id = copied->of;
    columns.first[i] = copied->first;
    any = true;
  }
  return any ? std::optional(columns) : std::nullopt;
}

}  // namespace

void attend_in_place(Draft& draft) {
  const std::vector<size_t> made_by = makers(draft);
  bool any = false;
  for (Task& task : draft.tasks) {
    const auto* attention = task.op.as<ops::Attention>();
    const auto* gradient = task.op.as<ops::AttentionGradient>();
    if (!attention && !gradient) continue;
    const std::optional<AttentionColumns> columns = columns_of(draft, made_by, task, attention ? 0 : 1);
    if (!columns) continue;
    any = true;
    if (attention) {
      AttentionInPlace in_place;
      in_place.of = *attention, in_place.columns = *columns;
      task.op = in_place;
    } else {
      AttentionGradientInPlace in_place;
      in_place.of = *gradient, in_place.columns = *columns;
      task.op = in_place;
    }
  }
  if (any) drop_unread(draft);
}

}  // namespace causeway::engine::cpu
