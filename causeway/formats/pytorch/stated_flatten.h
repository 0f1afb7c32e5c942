#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/pytorch/axis_order.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::pytorch {

/// What a caller states of flattens, by the flatten's path or that of the layer which reads its row: "26,26,4", "series"
/// or "rows".
class FlattenStatements {
 public:
  explicit FlattenStatements(std::map<std::string, std::string, std::less<>> stated) : stated_(std::move(stated)) {}

  /// The order stated for a flatten of that shape, whose row the slot `reader` meets; none where nothing is stated.
  /// Calls unfit() where the statement is none, or contradicts the shape.
  std::optional<AxisOrder> order_of(const std::string& flatten, const std::string& reader, const Shape& shape);

  /// A fault for each statement that no flatten was asked for.
  std::vector<Fault> unused() const;

  /// The axes of one example: "[26, 26, 4]", `["L", 4]`.
  static std::string text_of_example(const Shape& shape);

 private:
  std::map<std::string, std::string, std::less<>> stated_;
  std::map<std::string, bool, std::less<>> used_;
};

}  // namespace causeway::formats::pytorch
