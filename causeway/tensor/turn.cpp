#include "causeway/tensor/turn.h"

#include <algorithm>
#include <cstring>

#include "causeway/base/check.h"
#include "causeway/base/checked_size.h"

namespace causeway {
namespace {

using Lengths = std::vector<int64_t>;

bool is_permutation(std::span<const size_t> order) {
  std::vector<bool> seen(order.size(), false);
  for (const size_t place : order) {
    if (place >= order.size() || seen[place]) return false;
    seen[place] = true;
  }
  return true;
}

std::vector<size_t> inverse(std::span<const size_t> order) {
  CAUSEWAY_CHECK(is_permutation(order), "a move names every axis or block once");
  std::vector<size_t> backwards(order.size());
  for (size_t i = 0; i < order.size(); ++i) backwards[order[i]] = i;
  return backwards;
}

std::optional<Lengths> lengths_after(const ReshapeMove& move, const Lengths& lengths) {
  const std::optional<int64_t> count = checked_product(move.to);
  if (lengths != move.from || !count || count != checked_product(move.from)) return std::nullopt;
  return move.to;
}

std::optional<Lengths> lengths_after(const PermuteMove& move, const Lengths& lengths) {
  if (lengths.size() != move.axes.size() || !is_permutation(move.axes)) return std::nullopt;
  Lengths moved;
  for (const size_t axis : move.axes) moved.push_back(lengths[axis]);
  return moved;
}

std::optional<Lengths> lengths_after(const ReorderMove& move, const Lengths& lengths) {
  if (move.axis >= lengths.size() || move.order.empty() || !is_permutation(move.order)) return std::nullopt;
  if (lengths[move.axis] % static_cast<int64_t>(move.order.size()) != 0) return std::nullopt;
  return lengths;
}

Tensor moved(const ReshapeMove& move, const Tensor& tensor) { return tensor.reshaped(move.to); }

Tensor moved(const PermuteMove& move, const Tensor& tensor) { return tensor.permuted(move.axes); }

Tensor moved(const ReorderMove& move, const Tensor& tensor) {
  Tensor made = Tensor::uninitialized(tensor.dtype(), tensor.lengths());
  if (made.size() == 0) return made;
  size_t outer = 1;
  for (size_t axis = 0; axis < move.axis; ++axis) outer *= static_cast<size_t>(tensor.lengths()[axis]);
  const size_t blocks = move.order.size();
  const size_t block_bytes = tensor.size_bytes() / outer / blocks;
  const auto* from = static_cast<const std::byte*>(tensor.data());
  auto* to = static_cast<std::byte*>(made.mutable_data());
  for (size_t row = 0; row < outer; ++row) {
    for (size_t i = 0; i < blocks; ++i) {
      std::memcpy(to + (row * blocks + i) * block_bytes, from + (row * blocks + move.order[i]) * block_bytes,
                  block_bytes);
    }
  }
  return made;
}

Move reversed(const ReshapeMove& move) { return ReshapeMove{move.to, move.from}; }
Move reversed(const PermuteMove& move) { return PermuteMove{inverse(move.axes)}; }
Move reversed(const ReorderMove& move) { return ReorderMove{move.axis, inverse(move.order)}; }

std::optional<Lengths> lengths_through(const Turn& turn, Lengths lengths) {
  for (const Move& move : turn.moves) {
    std::optional<Lengths> after = std::visit([&](const auto& one) { return lengths_after(one, lengths); }, move);
    if (!after) return std::nullopt;
    lengths = *std::move(after);
  }
  return lengths;
}

Tensor moved_through(const Turn& turn, Tensor tensor) {
  CAUSEWAY_CHECK(lengths_through(turn, tensor.lengths()), "the moves of a turn fit the tensor");
  for (const Move& move : turn.moves) {
    tensor = std::visit([&](const auto& one) { return moved(one, tensor); }, move);
  }
  return tensor;
}

}  // namespace

Tensor Turn::to_slot(const Tensor& in_file) const { return moved_through(*this, in_file); }

Tensor Turn::to_file(const Tensor& in_slot) const { return moved_through(reversed(), in_slot); }

std::vector<int64_t> Turn::lengths_in_file(std::vector<int64_t> slot) const {
  std::optional<Lengths> lengths = lengths_through(reversed(), std::move(slot));
  CAUSEWAY_CHECK(lengths, "the moves of a turn fit its slot");
  return *std::move(lengths);
}

std::optional<std::vector<int64_t>> Turn::lengths_in_slot(std::vector<int64_t> file) const {
  return lengths_through(*this, std::move(file));
}

Turn Turn::reversed() const {
  Turn backwards;
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {
    backwards.moves.push_back(std::visit([](const auto& one) { return causeway::reversed(one); }, *move));
  }
  return backwards;
}

}  // namespace causeway
