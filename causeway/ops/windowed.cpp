#include "causeway/ops/windowed.h"

#include <algorithm>
#include <string>

#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// Whether each window over an axis of that length reads a real cell. The windows that begin before the input are the
/// only ones that can step over it; those behind it begin with border.
bool each_reads_a_cell(const Window& window, size_t axis, int64_t length) {
  const Window::Sides sides = window.sides(axis, length);
  const int64_t stride = window.stride[axis], dilation = window.dilation[axis];
  const int64_t count = window.output_length(axis, length).number();
  if ((count - 1) * stride - sides.before >= length) return false;
  if (sides.before >= window.reach(axis)) return false;
  for (int64_t first = -sides.before; first < 0; first += stride) {
    const int64_t skipped = (-first + dilation - 1) / dilation;
    if (skipped >= window.size[axis] || first + skipped * dilation >= length) return false;
  }
  return true;
}

}  // namespace

Dim channels_of(Layout layout, const Type& x, size_t rank) {
  return with_rank(x, rank, "x")[channel_axis(layout, rank)];
}

Shape windowed_shape(const Window& window, Layout layout, const Type& x, const Dim& channels) {
  const size_t rank = window.rank() + 2;
  Shape shape = with_rank(x, rank, "x");
  for (size_t i = 0; i < window.rank(); ++i) {
    Dim& length = shape[place_axis(layout, i)];
    length = window.output_length(i, length);
  }
  shape[channel_axis(layout, rank)] = channels;
  return shape;
}

void expect_real_cells(const Window& window, Layout layout, const Shape& x) {
  for (size_t i = 0; i < window.rank(); ++i) {
    const Dim& length = x[place_axis(layout, i)];
    if (!length.is_number() || each_reads_a_cell(window, i, length.number())) continue;
    unfit("a window over " + length.text() + " cells of place axis " + std::to_string(i) +
          " reads border alone, which has no value to pool. Make the border smaller than the window.");
  }
}

void expect_made(const Window& window, Layout layout, const Type& x, const Type& dy) {
  if (!x.shape.has_rank()) return;
  const Shape there = with_rank(dy, window.rank() + 2, "dy");
  const Shape made = windowed_shape(window, layout, x, there[channel_axis(layout, there.rank())]);
  for (size_t axis = 0; axis < made.rank(); ++axis) {
    if (made[axis].equals(there[axis]) != std::optional(false)) continue;
    unfit("the window makes " + made.text() + " of " + x.shape.text() + ", and dy is " + there.text() + ".");
  }
}

std::optional<WindowTurn> turned_window(const Window& window, Layout layout, const Axes& axes) {
  const size_t rank = window.rank() + 2, channels = channel_axis(layout, rank);
  if (axes.size() != rank || axes[0] != 0) return std::nullopt;
  WindowTurn turn{window, Layout::ChannelsLast, Axes(rank)};
  if (axes[channels] == 1) turn.layout = Layout::ChannelsFirst;
  if (axes[channels] != channel_axis(turn.layout, rank)) return std::nullopt;
  for (size_t i = 0; i < window.rank(); ++i) {
    // Place axis i of x is place axis j of x'.
    const size_t j = axes[place_axis(layout, i)] - place_axis(turn.layout, 0);
    turn.window.size[j] = window.size[i];
    turn.window.stride[j] = window.stride[i];
    turn.window.dilation[j] = window.dilation[i];
    turn.window.before[j] = window.before[i];
    turn.window.after[j] = window.after[i];
    turn.weight[tap_axis(layout, i)] = tap_axis(turn.layout, j);
  }
  turn.weight[in_axis(layout, rank)] = in_axis(turn.layout, rank);
  turn.weight[out_axis(layout, rank)] = out_axis(turn.layout, rank);
  return turn;
}

}  // namespace causeway::ops
