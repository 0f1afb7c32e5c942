#pragma once

#include <optional>

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/pooling.h"

namespace causeway::engine::cpu {

/// The pooling of a MaxPool or AveragePool task on float32 channels-last images; none for another.
std::optional<Pooling> pooling_of(const Draft& draft, const Task& task);

}  // namespace causeway::engine::cpu
