#pragma once

#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// Reads the keys of a step by its row of the verb table: unknown and missing ones, kinds and ranges are faults, and
/// every default is written out. `declared` gains the parameters; true where there was no fault.
bool read_parameters(const Json& step, StepDeclared& declared, std::vector<Fault>& faults);

/// " Did you mean 'median'?", or the words there are where none is near.
std::string nearest_of(std::string_view word, std::span<const std::string_view> known);

}  // namespace causeway::pipeline
