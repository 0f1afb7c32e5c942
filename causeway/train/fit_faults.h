#pragma once

#include <vector>

#include "causeway/train/fit.h"

namespace causeway::train {

/// What can be said of options without looking at rows: those that make no sense, alone or together.
std::vector<Fault> faults_of(const FitOptions& options);

}  // namespace causeway::train
