#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/train/optimizer.h"
#include "causeway/train/step.h"

namespace causeway {

struct StatedOptimizer {
  Optimizer optimizer;
  std::vector<ParameterGroup> groups;
};

/// An optimizer's word, or an object with its "kind", settings and "groups". Faults go to `faults` at their place in
/// `where`, with the nearest known word, and nothing comes back then.
std::optional<StatedOptimizer> read_optimizer(const Json& json, const std::string& where, std::vector<Fault>& faults);

}  // namespace causeway
