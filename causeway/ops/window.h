#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/tensor/dim.h"

namespace causeway::ops {

/// Where the channels of a windowed op's values stand.
///   ChannelsLast    x [N, D.., C],  weight [k.., in/G, out]
///   ChannelsFirst   x [N, C, D..],  weight [out, in/G, k..]
enum class Layout { ChannelsLast, ChannelsFirst };
constexpr auto words_of(Layout) { return std::array<std::string_view, 2>{"channels_last", "channels_first"}; }

inline size_t channel_axis(Layout layout, size_t rank) { return layout == Layout::ChannelsLast ? rank - 1 : 1; }
/// The axis of the i-th place axis among those of x.
inline size_t place_axis(Layout layout, size_t i) { return layout == Layout::ChannelsLast ? 1 + i : 2 + i; }
/// The axis of the i-th place axis among those of a weight.
inline size_t tap_axis(Layout layout, size_t i) { return layout == Layout::ChannelsLast ? i : 2 + i; }

/// The axes of a weight's input channels (of a group) and output channels.
inline size_t in_axis(Layout layout, size_t rank) { return layout == Layout::ChannelsLast ? rank - 2 : 1; }
inline size_t out_axis(Layout layout, size_t rank) { return layout == Layout::ChannelsLast ? rank - 1 : 0; }

/// How the border of a window is told: as stated; or so that ceil(length / stride) places are made, the odd cell
/// standing after the input (SameUpper) or before it (SameLower).
enum class Border { Stated, SameUpper, SameLower };
constexpr auto words_of(Border) { return std::array<std::string_view, 3>{"stated", "same_upper", "same_lower"}; }

/// A window over the place axes of an input, each axis by itself. Window i reads the cells i * stride - before +
/// j * dilation, j = 0 … size - 1; a cell outside the input is border.
///
/// Settings   size, stride, dilation: at least 1, one entry an axis. before, after: cells of border, at least 0; not
///            read unless border is Stated. ceil_mode: a last window that starts inside the input, or the border before
///            it, counts though it reaches past the border after it; Stated only. None is above 2^24.
struct Window {
  std::vector<int64_t> size = {}, stride = {}, dilation = {}, before = {}, after = {};
  Border border = Border::Stated;
  bool ceil_mode = false;

  static void fields(auto&& each) {
    each("size", &Window::size);
    each("stride", &Window::stride);
    each("dilation", &Window::dilation);
    each("before", &Window::before);
    each("after", &Window::after);
    each("border", &Window::border);
    each("ceil_mode", &Window::ceil_mode);
  }
  friend bool operator==(const Window&, const Window&) = default;

  /// Of that size, moved cell by cell, without a border.
  static Window of(std::vector<int64_t> size);

  /// How many place axes it has.
  size_t rank() const { return size.size(); }
  /// unfit() where the lists differ in length or hold a number out of range.
  void check() const;
  /// Cells from a window's first to its last: (size - 1) * dilation + 1.
  int64_t reach(size_t axis) const { return (size[axis] - 1) * dilation[axis] + 1; }
  /// How many places it makes; unknown where ceil_mode meets a length still open. unfit() where it makes none.
  Dim output_length(size_t axis, const Dim& length) const;
  /// Border cells before and after an input of that length.
  struct Sides {
    int64_t before, after;
  };
  Sides sides(size_t axis, int64_t length) const;
  /// The same window with its border stated, over inputs of those place lengths.
  Window stated(std::span<const int64_t> lengths) const;
};

}  // namespace causeway::ops
