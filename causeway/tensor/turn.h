#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "causeway/tensor/shape.h"
#include "causeway/tensor/tensor.h"

namespace causeway {

/// The same numbers in order under other lengths.
struct ReshapeMove {
  std::vector<int64_t> from, to;
  friend bool operator==(const ReshapeMove&, const ReshapeMove&) = default;
};
/// Axis i of the result is axis axes[i] of what is moved.
struct PermuteMove {
  std::vector<size_t> axes;
  friend bool operator==(const PermuteMove&, const PermuteMove&) = default;
};
/// The axis falls into order.size() equal blocks; block i of the result is block order[i] of what is moved.
struct ReorderMove {
  size_t axis = 0;
  std::vector<size_t> order;
  friend bool operator==(const ReorderMove&, const ReorderMove&) = default;
};
using Move = std::variant<ReshapeMove, PermuteMove, ReorderMove>;

/// How a file lays out what a slot holds: the moves, first to last, that bring the file's tensor to the slot's. It only
/// moves numbers, so it can be taken backwards.
struct Turn {
  std::vector<Move> moves;

  static Turn permute(std::vector<size_t> axes) { return Turn{{PermuteMove{std::move(axes)}}}; }

  bool is_identity() const { return moves.empty(); }
  Tensor to_slot(const Tensor& in_file) const;
  Tensor to_file(const Tensor& in_slot) const;
  /// The shape the file has for a slot of that shape.
  std::vector<int64_t> lengths_in_file(std::vector<int64_t> slot) const;
  /// The shape a slot has for a file's tensor, or none where the moves do not fit its rank or lengths.
  std::optional<std::vector<int64_t>> lengths_in_slot(std::vector<int64_t> file) const;
  /// The moves backwards.
  Turn reversed() const;

  friend bool operator==(const Turn&, const Turn&) = default;
};

}  // namespace causeway
