#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "causeway/graph/graph.h"
#include "causeway/ops/window.h"

namespace causeway::formats::pytorch {

/// How PyTorch has the axes of a value that stands channels last here.
enum class AxisOrder {
  AsHere,         ///< The same, or the value is a row and has no places.
  ChannelsFirst,  ///< Its channels stand before its places.
  NotKnown,       ///< Two axes an example that nothing says are steps by channels.
};

/// Tells the order that PyTorch's value has, for every value of a graph, by the nearest op above it that fixes one:
/// a window, a resizing or the input fixes channels first; what works on the last axis of a series fixes channels last;
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

/// The layout of an op that moves a window over places; none where it is no such op.
std::optional<ops::Layout> window_layout(const Op& op);

/// Whether a node makes rows [N, all] of [N, places.., channels].
bool flattens(const Node& node);
/// Whether a node makes [N, places.., channels] of rows.
bool unflattens(const Node& node);

}  // namespace causeway::formats::pytorch
