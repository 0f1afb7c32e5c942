#include "causeway/reference/windows.h"

#include "causeway/reference/walk.h"

namespace causeway::reference {

Image::Image(std::span<const int64_t> all_lengths, ops::Layout layout) {
  const PerAxis all_strides = strides_of(all_lengths);
  const size_t channel = ops::channel_axis(layout, all_lengths.size());
  rows = all_lengths[0], row_stride = all_strides[0];
  channels = all_lengths[channel], channel_stride = all_strides[channel];
  for (size_t i = 0; i + 2 < all_lengths.size(); ++i) {
    lengths[i] = all_lengths[ops::place_axis(layout, i)];
    strides[i] = all_strides[ops::place_axis(layout, i)];
  }
}

Taps::Taps(std::span<const int64_t> all_lengths, ops::Layout layout) {
  const PerAxis all_strides = strides_of(all_lengths);
  const size_t rank = all_lengths.size();
  const bool channels_last = layout == ops::Layout::ChannelsLast;
  const size_t in_axis = channels_last ? rank - 2 : 1, out_axis = channels_last ? rank - 1 : 0;
  in = all_lengths[in_axis], in_stride = all_strides[in_axis];
  out = all_lengths[out_axis], out_stride = all_strides[out_axis];
  for (size_t i = 0; i + 2 < rank; ++i) strides[i] = all_strides[ops::tap_axis(layout, i)];
}

Windows::Windows(const ops::Window& window, const Image& x) : lengths_(x.lengths) {
  for (size_t i = 0; i < window.rank(); ++i) {
    const ops::Window::Sides sides = window.sides(i, x.lengths[i]);
    size_[i] = window.size[i], stride_[i] = window.stride[i], dilation_[i] = window.dilation[i];
    before_[i] = sides.before, after_[i] = sides.after;
  }
}

int64_t Windows::count_cells(const Place& place, bool with_border) const {
  int64_t count = 1;
  for (size_t axis = 0; axis < size_.size(); ++axis) {
    const int64_t low = with_border ? -before_[axis] : 0;
    const int64_t high = lengths_[axis] + (with_border ? after_[axis] : 0);
    int64_t inside = 0;
    for (int64_t tap = 0; tap < size_[axis]; ++tap) {
      const int64_t cell = place[axis] * stride_[axis] - before_[axis] + tap * dilation_[axis];
      inside += cell >= low && cell < high;
    }
    count *= inside;
  }
  return count;
}

}  // namespace causeway::reference
