#pragma once

// Shape rules that convolutions and poolings share.

#include <vector>

#include "causeway/graph/value.h"
#include "causeway/ops/window.h"

namespace causeway::ops {

/// The shape of x with the places that the window makes of its own, and that many channels. unfit() where its rank is
/// not the window's and two.
Shape windowed_shape(const Window& window, Layout layout, const Type& x, const Dim& channels);
/// The channels of x; unknown without a rank.
Dim channels_of(Layout layout, const Type& x, size_t rank);
/// unfit() where a window reads no real cell, as far as lengths are known: a pooling of nothing has no value.
void expect_real_cells(const Window& window, Layout layout, const Shape& x);
/// unfit() where the window does not make the shape of dy out of that of x.
void expect_made(const Window& window, Layout layout, const Type& x, const Type& dy);

}  // namespace causeway::ops
