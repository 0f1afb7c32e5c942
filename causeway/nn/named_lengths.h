#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "causeway/base/fault.h"

namespace causeway::nn {

/// A fault for each length that is bound from outside and that no input has by this name; `open` are those they have.
std::vector<Fault> unknown_lengths(const std::map<std::string, int64_t, std::less<>>& bound,
                                   const std::set<std::string>& open);

}  // namespace causeway::nn
