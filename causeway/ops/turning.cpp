#include "causeway/ops/turning.h"

#include <algorithm>

#include "causeway/base/check.h"
#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
int64_t turned_axis(int64_t axis, const Axes& axes) { return static_cast<int64_t>(axes[axis_in(axis, axes.size())]); }

std::vector<int64_t> turned_axes(const std::vector<int64_t>& of_x, const Axes& axes) {
  std::vector<int64_t> turned;
  for (const int64_t axis : of_x) turned.push_back(turned_axis(axis, axes));
  std::sort(turned.begin(), turned.end());
  return turned;
}

Axes order_among(const std::vector<size_t>& of_x, const Axes& axes) {
  std::vector<size_t> sorted;
  for (const size_t axis : of_x) sorted.push_back(axes[axis]);
  std::sort(sorted.begin(), sorted.end());
  Axes among;
  for (const size_t axis : of_x) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), axes[axis]);
    among.push_back(static_cast<size_t>(at - sorted.begin()));
  }
  return among;
}

Axes order_without(const std::vector<size_t>& gone, const Axes& axes) {
  std::vector<size_t> left;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (std::find(gone.begin(), gone.end(), i) == gone.end()) left.push_back(i);
  }
  return order_among(left, axes);
}

Value turned_list(Value list, AxisList kind, const Axes& axes) {
  if (kind == AxisList::None) return list;
  if (kind == AxisList::Names) return gather(integers(list.graph(), {axes.begin(), axes.end()}), list);
  const Axes back = inverse(axes);
  std::vector<int64_t> places(back.begin(), back.end());
  if (kind == AxisList::PerSide) {
    for (const size_t axis : back) places.push_back(static_cast<int64_t>(back.size() + axis));
  }
  return gather(list, integers(list.graph(), std::move(places)));
}

}  // namespace causeway::ops
