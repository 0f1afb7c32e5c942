#pragma once

#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/nn/saved_network.h"

namespace causeway::formats::native {

/// The losses of a network: null, one loss where it has one output, or an object by output. A loss is written as words
/// state it, with the op that answers go through behind the network's own nodes.
Json losses_to_json(const SavedNetwork& saved);

/// Gives a network the losses of a document; faults go to `faults`.
void losses_from_json(const Json& json, SavedNetwork& saved, std::vector<Fault>& faults);

}  // namespace causeway::formats::native
