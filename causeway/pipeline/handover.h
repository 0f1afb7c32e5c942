#pragma once

#include <array>
#include <vector>

#include "causeway/pipeline/fit_state.h"
#include "causeway/pipeline/prepared.h"

namespace causeway::pipeline {

/// Makes float32 matrices of rows first … first+count-1, each value rounded once. What cannot be handed over refuses
/// its row in the walk: a gap, a value past float32's range, a missing answer.
Part hand_over(const FitState& fit, const Table& rows, size_t first, size_t count, Walk& walk, bool with_answers);

/// Gives each row that is unlike every training row in a feature that never varied there its note.
void note_unvaried(const FitState& fit, const Table& rows, size_t first, size_t count, Walk& walk);

/// The features among the first `training` rows that hold one value only.
std::vector<std::pair<std::string, double>> unvaried_of(const std::vector<const Column*>& features, size_t training);

}  // namespace causeway::pipeline
