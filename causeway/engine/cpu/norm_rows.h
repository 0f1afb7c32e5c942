#pragma once

#include <optional>

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/pieces.h"

namespace causeway::engine::cpu {

/// How a layer normalization lies in memory: [outer, along, kept, inner], where the numbers of `along` and `inner` are
/// normalized together. Where nothing is kept in between, they lie in one row.
struct NormRuns {
  size_t outer = 1, along = 1, kept = 1, inner = 1;

  bool are_rows() const { return kept == 1; }
  size_t length() const { return along * inner; }

  /// Pieces have some outer parts each; or, where one is large, some of what is kept of one.
  bool is_split() const { return kept_a_piece() < kept; }
  size_t pieces() const {
    return is_split() ? outer * ((kept + kept_a_piece() - 1) / kept_a_piece()) : parts().count();
  }
  Pieces parts() const { return {outer, along * kept * inner}; }
  size_t kept_a_piece() const {
    const Pieces by_size(kept, length());
    // Lines of memory are read whole.
    return std::min(kept, std::max(by_size.a_piece, (kLine + inner - 1) / inner));
  }

 private:
  static constexpr size_t kLine = 64;
};
/// None where the axes lie otherwise, or there is nothing to normalize.
std::optional<NormRuns> norm_runs(const DraftValue& x, const std::vector<int64_t>& axes);

}  // namespace causeway::engine::cpu
