#pragma once

#include <optional>
#include <vector>

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/kernel.h"
#include "causeway/ops/slice.h"

namespace causeway::engine::cpu {

/// The whole numbers of a constant list; none for what is no constant.
std::optional<std::vector<int64_t>> constant_integers(const Draft& draft, ValueId id);

/// What a slice of `lengths` takes along every axis, from the task's starts, ends, axes and steps, which stand from
/// input `first` on; none where one of them is no constant.
std::optional<std::vector<ops::SliceRange>> slices_of(const Draft& draft, const Task& task, size_t first,
                                                      const std::vector<int64_t>& lengths);

/// Where along each axis the places of one side lie on the other.
using PlaceMaps = std::vector<std::vector<int64_t>>;

/// y[i, j, …] = x[maps[0][i], maps[1][j], …], in the lengths of the maps.
std::unique_ptr<Kernel> picked_copy(const Draft& draft, const Task& task, PlaceMaps maps);
/// x[maps[0][i], maps[1][j], …] = the sum of what y has there, 0 where it has nothing; float32.
std::unique_ptr<Kernel> picked_sums(const Draft& draft, const Task& task, PlaceMaps maps);

}  // namespace causeway::engine::cpu
