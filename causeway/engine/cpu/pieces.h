#pragma once

#include <algorithm>
#include <cstddef>

namespace causeway::engine::cpu {

/// How parts that are alike fall into pieces, told by their number and size alone.
struct Pieces {
  size_t parts = 0, a_piece = 1;

  Pieces() = default;
  /// `numbers` of them in each part.
  Pieces(size_t all_parts, size_t numbers)
      : parts(all_parts), a_piece(std::max<size_t>(kNumbers / std::max<size_t>(numbers, 1), 1)) {}

  size_t count() const { return (parts + a_piece - 1) / a_piece; }
  size_t begin(size_t piece) const { return piece * a_piece; }
  size_t end(size_t piece) const { return std::min(parts, (piece + 1) * a_piece); }

 private:
  // Work of some microseconds, which is worth waking a thread for.
  static constexpr size_t kNumbers = 16384;
};

}  // namespace causeway::engine::cpu
