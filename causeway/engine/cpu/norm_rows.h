#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "causeway/engine/cpu/draft.h"

namespace causeway::engine::cpu {

/// How a normalization over the last axes falls into rows, and these into pieces.
struct NormRows {
  size_t count = 1, length = 1;

  /// How many rows one piece has.
  size_t a_piece() const { return std::max<size_t>(16384 / length, 1); }
  size_t pieces() const { return (count + a_piece() - 1) / a_piece(); }
};
/// None where the axes are not the last ones, or there is nothing to normalize.
std::optional<NormRows> norm_rows(const DraftValue& x, const std::vector<int64_t>& axes);

}  // namespace causeway::engine::cpu
