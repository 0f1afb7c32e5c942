#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/graph/network.h"
#include "causeway/tensor/turn.h"

namespace causeway::formats::pytorch {

/// How PyTorch lays out a network's slots.
struct Layouts {
  /// By slot path, learned and measured slots alone: from the file's layout to the slot's.
  std::map<std::string, Turn, std::less<>> turns;
  /// The same network where an order of rows cannot be put into a slot: a transpose stands in its graph, and the turns
  /// are for that graph.
  std::optional<Network> network;
  std::vector<Fault> faults;
};

/// Tells each slot's layout by the op that reads it, and never by its shape; and the slots that meet rows which stand in
/// PyTorch's order, channel by channel, behind a flatten or before a reshape. `flattened` and `dims` as in ReadOptions.
Layouts layouts_of(const Network& network, const std::map<std::string, std::string, std::less<>>& flattened = {},
                   const std::map<std::string, int64_t, std::less<>>& dims = {});

}  // namespace causeway::formats::pytorch
