#pragma once

#include <cstdint>
#include <vector>

#include "causeway/ops/window.h"

namespace causeway::engine::cpu {

/// A tensor of rows, channels and places in blocks: as the dense lengths [N, C/B, D.., B], B channels_together(), noughts
/// behind the last channel. That is oneDNN's nChw16c, and for each block of channels an image, channels last.
std::vector<int64_t> blocked_lengths(const std::vector<int64_t>& plain, ops::Layout layout);

/// Moves numbers between the two; `size` bytes an element, 1 or 4.
struct BlockMove {
  int64_t rows = 1, channels = 1, places = 1;
  ops::Layout layout = ops::Layout::ChannelsFirst;
  size_t element_bytes = 4;

  static BlockMove of(const std::vector<int64_t>& plain, ops::Layout layout, size_t element_bytes);
  void to_blocked(const void* from, void* to) const;
  void from_blocked(const void* from, void* to) const;
};

}  // namespace causeway::engine::cpu
