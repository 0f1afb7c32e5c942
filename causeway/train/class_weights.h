#pragma once

#include <cstdint>
#include <map>

#include "causeway/base/json.h"

namespace causeway {

/// How often each class counts, 1 where it is not named. The class of an answer is the answer rounded, or the first
/// largest of its shares. As a setting {"0": 1, "1": 3}.
struct ClassWeights : std::map<int64_t, double> {
  using map::map;
};
void read_setting(const Json& json, ClassWeights& into);
Json write_setting(const ClassWeights& weights);

}  // namespace causeway
