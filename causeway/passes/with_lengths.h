#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "causeway/graph/network.h"

namespace causeway::passes {

/// The same network with named lengths of its inputs as numbers; names that are not in `lengths` stay open.
///
/// Refused    each node whose shape rule cannot be met with them, all at once.
Network with_lengths(const Network& network, const std::map<std::string, int64_t, std::less<>>& lengths);

}  // namespace causeway::passes
