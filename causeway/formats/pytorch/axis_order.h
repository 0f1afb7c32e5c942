#pragma once

#include <unordered_map>
#include <unordered_set>

#include "causeway/graph/graph.h"
#include "causeway/ops/windowed.h"

namespace causeway::formats::pytorch {

/// How PyTorch has the axes of a value that stands channels last here.
enum class AxisOrder {
  AsHere,         ///< The same, or the value is a row and has no places.
  ChannelsFirst,  ///< Its channels stand before its places.
  NotKnown,       ///< Two axes an example that nothing says are steps by channels.
};

/// Tells the order that PyTorch's value has, for every value of a graph, by the nearest op above it that fixes one:
/// a window or the input fixes channels first; what works on the last axis of a series fixes channels last;
/// a permute that the words write is in the words' own axes. Element-wise ops, dropout and normalisations pass the
/// order on.
class AxisOrders {
 public:
  explicit AxisOrders(const Graph& graph);

  AxisOrder of(const Value& value);

 private:
  AxisOrder found(const Value& value);
  AxisOrder found_by(const Node& node);

  std::unordered_map<Value, AxisOrder> known_;
  std::unordered_set<Value> channels_first_inputs_;
};

/// Whether a node is of a layer that works along places by several nodes: its transposes and products are its own, and
/// what it reads and makes has PyTorch's channels first, as behind a window.
bool works_along_places(const Scope& scope);

/// Whether a node makes rows [N, all] of [N, places.., channels].
bool flattens(const Node& node);
/// Whether a node makes [N, places.., channels] of rows.
bool unflattens(const Node& node);

}  // namespace causeway::formats::pytorch
