#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::passes {

/// A value as numbers of another one: element [i, j, …] is element offset + Σ index · stride of `base`, in its row-major
/// order.
struct StridedView {
  Value base;
  std::vector<int64_t> lengths, strides;
  int64_t offset = 0;

  /// Axis i of the result is axis axes[i] of this one.
  StridedView permuted(const Axes& axes) const;
  /// Under other lengths of the same count; none where no strides say it.
  std::optional<StridedView> reshaped(std::vector<int64_t> to) const;
};

/// A value followed back through what only moves or picks numbers in steps (Reshape, Transpose, Slice, Split, a Gather
/// of one place and their like), at most `depth` nodes. Every length on the way must be a number.
StridedView strided_view(const Value& value, const Slots& slots, int depth = 16);

/// The numbers of a constant that nothing moves; null for another value.
const Tensor* constant_numbers(const Value& value, const Slots& slots);

}  // namespace causeway::passes
