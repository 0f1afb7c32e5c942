#pragma once

#include <cstdint>

namespace causeway::engine::cpu {

/// A weight of 3 x 3 taps in Winograd's form on tiles of 2 x 2 (Lavin and Gray 2015, https://arxiv.org/abs/1509.09308),
/// in the order oneDNN's convolutions read it: [4, 4, out / (together * side), in, side, together]. Its own reorder to
/// there takes twenty times as long.
struct WinogradWeight {
  int64_t in = 1, out = 1;
  /// Output channels that stand together, and how many such blocks stand side by side.
  int64_t together = 16, side = 1;
  /// Where tap (k, l) of channels (i, o) lies: at i * in_stride + o * out_stride + (3 * k + l) * tap_stride.
  int64_t in_stride = 0, out_stride = 0, tap_stride = 0;

  void pack(const float* from, float* to) const;
};

}  // namespace causeway::engine::cpu
