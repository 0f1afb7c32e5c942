#pragma once

#include <optional>
#include <vector>

#include "causeway/engine/cpu/draft.h"
#include "causeway/ops/slice.h"

namespace causeway::engine::cpu {

/// The whole numbers of a constant list; none for what is no constant.
std::optional<std::vector<int64_t>> constant_integers(const Draft& draft, ValueId id);

/// What a slice of `lengths` takes along every axis, from the task's starts, ends, axes and steps, which stand from
/// input `first` on; none where one of them is no constant.
std::optional<std::vector<ops::SliceRange>> slices_of(const Draft& draft, const Task& task, size_t first,
                                                      const std::vector<int64_t>& lengths);

}  // namespace causeway::engine::cpu
