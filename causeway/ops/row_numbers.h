#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Row numbers of a table, checked: whole numbers in [0, count), as int64. Any other number is refused from run, with its
/// place, where Gather would count it from the end or cut its fraction off.
///
/// Shapes     x [any], whole numbers or floating; y as x, int64.
/// Settings   count: the rows of the table.
/// Gradient   none.
struct RowNumbers {
  static constexpr std::string_view kName = "RowNumbers";
  static constexpr std::string_view kNoGradient = "the number of a row does not move.";
  int64_t count = 1;

  static void fields(auto&& each) { each("count", &RowNumbers::count); }
  Types infer(std::span<const Type> inputs) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
