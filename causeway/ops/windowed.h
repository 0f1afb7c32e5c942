#pragma once

// Shape rules that convolutions and poolings share.

#include <optional>
#include <vector>

#include "causeway/graph/op.h"
#include "causeway/ops/window.h"

namespace causeway::ops {

/// Along how many places an op moves windows, and where it has the channels of what it reads.
struct WindowAxes {
  size_t places = 0;
  Layout layout = Layout::ChannelsLast;
};
/// None where an op moves no window.
std::optional<WindowAxes> window_axes(const Op& op);

/// The shape of x with the places that the window makes of its own, and that many channels. unfit() where its rank is
/// not the window's and two.
Shape windowed_shape(const Window& window, Layout layout, const Type& x, const Dim& channels);
/// The channels of x; unknown without a rank.
Dim channels_of(Layout layout, const Type& x, size_t rank);
/// unfit() where a window reads no real cell, as far as lengths are known: a pooling of nothing has no value.
void expect_real_cells(const Window& window, Layout layout, const Shape& x);
/// unfit() where the window does not make the shape of dy out of that of x.
void expect_made(const Window& window, Layout layout, const Type& x, const Type& dy);

/// A windowed op on x' where x = transpose(x', axes): its window and layout there, and the order in which its weight
/// stands (the node's own weight is transpose(weight', weight)). None where the rows or channels of x' stand where no
/// layout has them.
struct WindowTurn {
  Window window = {};
  Layout layout = Layout::ChannelsLast;
  Axes weight;
};
std::optional<WindowTurn> turned_window(const Window& window, Layout layout, const Axes& axes);

}  // namespace causeway::ops
