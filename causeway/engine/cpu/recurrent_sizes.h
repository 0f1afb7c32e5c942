#pragma once

#include <algorithm>
#include <cstddef>

#include "causeway/engine/cpu/draft.h"
#include "causeway/ops/recurrent.h"

namespace causeway::engine::cpu {

/// The lengths of a recurrent layer, by the steps it shows.
struct RecurrentSizes {
  size_t rows = 0, steps = 0, hidden = 0;

  explicit RecurrentSizes(const DraftValue& shown)
      : rows(static_cast<size_t>(shown.lengths[0])),
        steps(static_cast<size_t>(shown.lengths[1])),
        hidden(static_cast<size_t>(shown.lengths[2])) {}
};

/// Where a gru resets; false for other cells.
inline bool resets_after_product(const ops::Recurrent& op) { return op.cell == ops::CellKind::Gru && op.reset_after; }
inline bool resets_before_product(const ops::Recurrent& op) { return op.cell == ops::CellKind::Gru && !op.reset_after; }

/// Input i of a task; kAbsent where there is none.
inline ValueId operand_or_absent(const Draft& draft, const Task& task, size_t i) {
  return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
}

}  // namespace causeway::engine::cpu
