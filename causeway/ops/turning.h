#pragma once

// What the `turned` rules share: an op on inputs whose axes stand in another order. Throughout, x = transpose(x', axes):
// axis i of x is axis axes[i] of x', and a rule says the op on x' that makes y' with y = transpose(y', outputs[0]).

#include <optional>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::ops {

/// An axis of x, from the end where negative, among those of x'.
int64_t turned_axis(int64_t axis, const Axes& axes);
/// The same for several, in ascending order; none stands for all in both.
std::vector<int64_t> turned_axes(const std::vector<int64_t>& of_x, const Axes& axes);
/// The order of what is left of x when some of its axes (of x) are gone.
Axes order_without(const std::vector<size_t>& gone, const Axes& axes);

/// The order of some axes of x (in ascending order) among themselves.
Axes order_among(const std::vector<size_t>& of_x, const Axes& axes);

/// The list that stands for an input that speaks of the axes of x.
Value turned_list(Value list, AxisList kind, const Axes& axes);

}  // namespace causeway::ops
