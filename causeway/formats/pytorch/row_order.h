#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/pytorch/axis_order.h"
#include "causeway/graph/network.h"
#include "causeway/tensor/turn.h"

namespace causeway::formats::pytorch {

/// What PyTorch's order of rows, channel by channel, does to slots.
struct RowOrders {
  /// By slot path: what brings numbers that fit PyTorch's rows to those that fit the network's.
  std::map<std::string, std::vector<Move>, std::less<>> moves;
  /// The network with transposes in its graph, where an order could not be put into a slot; the moves are for it then.
  std::optional<Network> network;
  std::vector<Fault> faults;
};

/// Finds each flatten (and each reshape of rows to places and channels) where PyTorch has its channels first, says
/// PyTorch's order there by a transpose, and has the passes push it down: what they put on a slot is that slot's move. A
/// reshape's order is pushed up, through norms and element-wise ops, to the matrix that makes the row.
///
/// `flattened` states what a flatten is handed: a shape ("26,26,4"), "series" (steps by channels) or "rows"; `dims` are
/// symbolic lengths that the caller knows.
RowOrders row_orders_of(const Network& network, AxisOrders& orders,
                        const std::map<std::string, std::string, std::less<>>& flattened,
                        const std::map<std::string, int64_t, std::less<>>& dims);

}  // namespace causeway::formats::pytorch
