#include "causeway/ops/window.h"

#include <algorithm>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/tensor/shape.h"

namespace causeway::ops {
namespace {

/// The largest setting and the longest axis: no sum or product of them passes int64, and no window has so many cells
/// that walking over them takes long.
constexpr int64_t kLargest = int64_t{1} << 24, kLongest = int64_t{1} << 48;

void check_list(const std::vector<int64_t>& list, std::string_view name, size_t rank, int64_t least) {
  if (list.size() != rank) {
    unfit("the window's " + std::string(name) + " is " + Shape::of(list).text() + ", and " + std::to_string(rank) +
          " numbers are expected.");
  }
  for (const int64_t number : list) {
    if (number >= least && number <= kLargest) continue;
    unfit("the window's " + std::string(name) + " is " + Shape::of(list).text() + ", and each is " +
          std::to_string(least) + " to " + std::to_string(kLargest) + ".");
  }
}

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace

Window Window::of(std::vector<int64_t> size) {
  Window window;
  window.stride.assign(size.size(), 1);
  window.dilation.assign(size.size(), 1);
  window.before.assign(size.size(), 0);
  window.after.assign(size.size(), 0);
  window.size = std::move(size);
  return window;
}

void Window::check() const {
  if (size.empty() || size.size() > 3) {
    unfit("the window's size is " + Shape::of(size).text() + ", and one to three place axes are read.");
  }
  check_list(size, "size", rank(), 1);
  check_list(stride, "stride", rank(), 1);
  check_list(dilation, "dilation", rank(), 1);
  check_list(before, "border before", rank(), 0);
  check_list(after, "border after", rank(), 0);
  if (ceil_mode && border != Border::Stated) {
    unfit("'ceil_mode' stands beside a border of kind 'same', which leaves nothing over. Leave one of them out.");
  }
}

Dim Window::output_length(size_t axis, const Dim& length) const {
  const int64_t step = stride[axis];
  if (length.is_number() && length.number() > kLongest) {
    unfit("a place axis has " + length.text() + " cells, and " + std::to_string(kLongest) + " are the most.");
  }
  if (border != Border::Stated) {
    if (length.is_number() && length.number() < 1) unfit("the input has no place, and a window needs one.");
    return length.is_number() ? Dim(ceil_div(length.number(), step)) : (length + (step - 1)) / step;
  }
  const Dim room = length + (before[axis] + after[axis] - reach(axis));
  if (!length.is_number()) {
    if (ceil_mode && step > 1) return {};
    return room / step + 1;
  }
  if (room.number() < 0) {
    unfit("the window reaches over " + std::to_string(reach(axis)) + " cells, and the input has " + length.text() +
          " with a border of " + std::to_string(before[axis]) + " and " + std::to_string(after[axis]) + ".");
  }
  if (!ceil_mode) return room / step + 1;
  const int64_t count = ceil_div(room.number(), step) + 1;
  return (count - 1) * step >= length.number() + before[axis] ? count - 1 : count;
}

Window::Sides Window::sides(size_t axis, int64_t length) const {
  if (border == Border::Stated) return {before[axis], after[axis]};
  const int64_t count = ceil_div(length, stride[axis]);
  const int64_t total = std::max<int64_t>(0, (count - 1) * stride[axis] + reach(axis) - length);
  const int64_t less = total / 2;
  return border == Border::SameUpper ? Sides{less, total - less} : Sides{total - less, less};
}

Window Window::stated(std::span<const int64_t> lengths) const {
  Window window = *this;
  window.border = Border::Stated;
  for (size_t axis = 0; axis < rank(); ++axis) {
    const Sides both = sides(axis, lengths[axis]);
    window.before[axis] = both.before;
    window.after[axis] = both.after;
  }
  return window;
}

}  // namespace causeway::ops
