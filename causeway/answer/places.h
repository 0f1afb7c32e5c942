#pragma once

#include <map>
#include <string>
#include <vector>

#include "causeway/nn/saved_network.h"

namespace causeway::answer {

/// Refused where a network of words would make no place of inputs of those lengths: an input whose named length is 0, or
/// a layer that leaves none of a length that was open when its words were read. Of no rows nothing is said.
void expect_places(const SavedNetwork& saved, const std::map<std::string, std::vector<int64_t>, std::less<>>& lengths);

}  // namespace causeway::answer
