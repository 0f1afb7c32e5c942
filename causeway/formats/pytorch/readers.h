#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "causeway/formats/pytorch/axis_order.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::pytorch {

/// Who reads each value of a graph.
class Readers {
 public:
  struct Reader {
    const Node* node = nullptr;
    size_t input = 0;
  };

  explicit Readers(const Graph& graph);

  const std::vector<Reader>& of(const Value& value) const;

  /// The order that PyTorch has a value in by what reads it: the nearest window or permute below, through what keeps
  /// axes. NotKnown where there is neither.
  AxisOrder order_below(const Value& value) const;
  /// The path of the first slot, no constant, that meets a row below, through what keeps axes; "" where none does.
  std::string slot_below(const Value& row, const Slots& slots) const;

 private:
  /// Calls `each` with the nodes that read a value, and on below those it gives true for.
  template <class Each>
  void walk_below(const Value& value, const Each& each) const;

  std::unordered_map<Value, std::vector<Reader>> readers_;
};

}  // namespace causeway::formats::pytorch
