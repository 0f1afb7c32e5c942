#pragma once

#include <map>
#include <string>

#include "causeway/graph/network.h"

namespace causeway::formats::pytorch {

/// Writes a network's slots as the safetensors file that PyTorch reads into the same module: every slot under its path
/// and its further names, in PyTorch's layout, with a count of batches beside running statistics. The same network gives
/// the same bytes.
///
/// Refused    what PyTorch has no module for, by name, before a byte is written; a path that cannot be written.
void write_state(const Network& network, const std::string& path,
                 const std::map<std::string, std::string, std::less<>>& flattened = {});

}  // namespace causeway::formats::pytorch
