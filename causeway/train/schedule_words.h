#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/train/schedules.h"

namespace causeway {

/// A schedule's word, or an object with its "kind", settings and "per" ("epoch" or "step"). Faults go to `faults` at
/// their place in `where`, with the nearest known word, and nothing comes back then.
std::optional<Schedule> read_schedule(const Json& json, const std::string& where, std::vector<Fault>& faults);

}  // namespace causeway
