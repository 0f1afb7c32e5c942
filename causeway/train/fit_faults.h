#pragma once

#include <vector>

#include "causeway/train/fit.h"

namespace causeway::train {

/// The settings that make no sense by themselves; each fault's place is the setting's name, "early_stopping.patience".
std::vector<Fault> setting_faults(const FitOptions& options);

/// What can be said of options without looking at rows: those that make no sense, alone or together.
std::vector<Fault> faults_of(const FitOptions& options);

}  // namespace causeway::train
