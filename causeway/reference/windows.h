#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "causeway/ops/window.h"

namespace causeway::reference {

/// One number for each place axis, of which there are at most three. An axis that is not there has length 1.
using Place = std::array<int64_t, 3>;

/// The offset of a place by strides.
inline int64_t offset_of(const Place& place, const Place& strides) {
  return place[0] * strides[0] + place[1] * strides[1] + place[2] * strides[2];
}

/// Calls f(place) for every place below `lengths`, in row-major order.
template <class F>
void each_place(const Place& lengths, F f) {
  Place at = {};
  for (at[0] = 0; at[0] < lengths[0]; ++at[0]) {
    for (at[1] = 0; at[1] < lengths[1]; ++at[1]) {
      for (at[2] = 0; at[2] < lengths[2]; ++at[2]) f(at);
    }
  }
}

/// How a dense tensor of rows, places and channels is read: strides in elements, whatever the layout.
struct Image {
  int64_t rows = 1, channels = 1, row_stride = 0, channel_stride = 0;
  Place lengths = {1, 1, 1}, strides = {};

  Image(std::span<const int64_t> all_lengths, ops::Layout layout);
};

/// How a convolution's weight is read; `in` counts the input channels of one group.
struct Taps {
  int64_t in = 1, out = 1, in_stride = 0, out_stride = 0;
  Place strides = {};

  Taps(std::span<const int64_t> all_lengths, ops::Layout layout);
};

/// A window over the places of an input, its border worked out.
class Windows {
 public:
  Windows(const ops::Window& window, const Image& x);

  /// Calls f(cell, tap) for each real cell of the window that makes `place`, in row-major order.
  template <class F>
  void each_cell(const Place& place, F f) const {
    Place cell = {}, tap = {};
    const auto is_real = [&](size_t axis) {
      cell[axis] = place[axis] * stride_[axis] - before_[axis] + tap[axis] * dilation_[axis];
      return cell[axis] >= 0 && cell[axis] < lengths_[axis];
    };
    for (tap[0] = 0; tap[0] < size_[0]; ++tap[0]) {
      if (!is_real(0)) continue;
      for (tap[1] = 0; tap[1] < size_[1]; ++tap[1]) {
        if (!is_real(1)) continue;
        for (tap[2] = 0; tap[2] < size_[2]; ++tap[2]) {
          if (is_real(2)) f(cell, tap);
        }
      }
    }
  }

  /// Real cells of a window, or all that lie inside the input and its border (what ceil_mode reaches beyond is none).
  int64_t count_cells(const Place& place, bool with_border) const;

 private:
  Place size_ = {1, 1, 1}, stride_ = {1, 1, 1}, dilation_ = {1, 1, 1}, before_ = {}, after_ = {}, lengths_;
};

}  // namespace causeway::reference
