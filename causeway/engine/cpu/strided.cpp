#include <algorithm>
#include <cstring>

#include "causeway/engine/cpu/by_width.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/engine/cpu/slices.h"
#include "causeway/tensor/shape.h"

// Ops that read x in another order.

namespace causeway::engine::cpu {
namespace {

// An axis of the result, and the stride it has in what is read.
struct Axis {
  int64_t length = 1, stride = 1;
};

// Those that stand together on both sides as one.
std::vector<Axis> joined(const std::vector<Axis>& axes) {
  std::vector<Axis> joined;
  for (const Axis& axis : axes) {
    if (axis.length == 1) continue;
    if (!joined.empty() && joined.back().stride == axis.length * axis.stride) {
      joined.back() = {joined.back().length * axis.length, axis.stride};
    } else {
      joined.push_back(axis);
    }
  }
  if (joined.empty()) joined.push_back({});
  return joined;
}

// Two innermost axes of the result at a time: `row`, whose places lie `row_step` apart there, and the last.
template <class T>
void turn(const T* from, const Axis& row, int64_t row_step, const Axis& last, T* to) {
  if (last.stride == 1) {
    for (int64_t i = 0; i < row.length; ++i) std::copy_n(from + i * row.stride, last.length, to + i * row_step);
    return;
  }
  // Tiles that both sides touch in lines.
  constexpr int64_t kTile = 16;
  for (int64_t a = 0; a < row.length; a += kTile) {
    const int64_t a_end = std::min(row.length, a + kTile);
    for (int64_t b = 0; b < last.length; b += kTile) {
      const int64_t b_end = std::min(last.length, b + kTile);
      for (int64_t i = a; i < a_end; ++i) {
        for (int64_t j = b; j < b_end; ++j) to[i * row_step + j] = from[i * row.stride + j * last.stride];
      }
    }
  }
}

// In pieces along the outermost axis.
class StridedKernel final : public PiecedKernel {
 public:
  StridedKernel(const Draft& draft, const Task& task, const std::vector<Axis>& axes, int64_t start = 0)
      : from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])),
        bytes_(size_of(draft[task.inputs[0]].dtype)),
        start_(start),
        axes_(joined(axes)) {
    steps_.assign(axes_.size(), 1);
    for (size_t i = axes_.size() - 1; i-- > 0;) steps_[i] = steps_[i + 1] * axes_[i + 1].length;
    // The axis that is read number by number is worked together with the last.
    const auto dense = std::find_if(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.stride == 1; });
    const auto at = static_cast<size_t>(dense - axes_.begin());
    row_ = at + 1 < axes_.size() ? at : axes_.size() > 1 ? axes_.size() - 2 : 0;
    pieces_ = Pieces(static_cast<size_t>(axes_[0].length), static_cast<size_t>(steps_[0]));
  }

  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    by_width(bytes_, [&](auto number) { some<decltype(number)>(frame, piece); });
  }

 private:
  template <class T>
  void some(const Frame& frame, size_t piece) const {
    const auto begin = static_cast<int64_t>(pieces_.begin(piece)), end = static_cast<int64_t>(pieces_.end(piece));
    walk(frame.of<T>(from_) + start_ + begin * axes_[0].stride, frame.to<T>(to_) + begin * steps_[0], 0, end - begin);
  }
  // Every axis but the last and the row, outermost first, of which there are `outermost` places.
  template <class T>
  void walk(const T* from, T* to, size_t axis, int64_t outermost) const {
    const auto part = [&](size_t i) { return i == 0 ? Axis{outermost, axes_[0].stride} : axes_[i]; };
    if (axis == row_) ++axis;
    if (axis + 1 >= axes_.size()) {
      const size_t last = axes_.size() - 1;
      return last == 0 ? turn(from, Axis{}, 0, part(0), to) : turn(from, part(row_), steps_[row_], part(last), to);
    }
    for (int64_t i = 0; i < part(axis).length; ++i) {
      walk(from + i * axes_[axis].stride, to + i * steps_[axis], axis + 1, outermost);
    }
  }

  ValueId from_, to_;
  size_t bytes_, row_ = 0;
  int64_t start_;
  std::vector<Axis> axes_;
  std::vector<int64_t> steps_;
  Pieces pieces_;
};

}  // namespace

std::unique_ptr<Kernel> transpose(const Draft& draft, const Task& task, const ops::Transpose& op) {
  const DraftValue& x = draft[task.inputs[0]];
  if (x.size() == 0) return nullptr;
  const std::vector<int64_t> strides = dense_strides(x.lengths);
  std::vector<Axis> axes;
  for (size_t i = 0; i < strides.size(); ++i) {
    const size_t from = op.axes.empty() ? strides.size() - 1 - i : op.axes[i];
    axes.push_back({x.lengths[from], strides[from]});
  }
  return std::make_unique<StridedKernel>(draft, task, axes);
}

// Each axis is two: the copies, which read the same places, and the places of x.
std::unique_ptr<Kernel> tile(const Draft& draft, const Task& task, const ops::Tile&) {
  const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  if (x.size() == 0 || y.size() == 0) return nullptr;
  const std::vector<int64_t> strides = dense_strides(x.lengths);
  std::vector<Axis> axes;
  for (size_t i = 0; i < strides.size(); ++i) {
    axes.push_back({y.lengths[i] / x.lengths[i], 0});
    axes.push_back({x.lengths[i], strides[i]});
  }
  return std::make_unique<StridedKernel>(draft, task, axes);
}

std::unique_ptr<Kernel> slice(const Draft& draft, const Task& task, const ops::Slice&) {
  const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  const std::optional<std::vector<ops::SliceRange>> slices = slices_of(draft, task, 1, x.lengths);
  if (!slices || y.size() == 0) return nullptr;
  const std::vector<int64_t> strides = dense_strides(x.lengths);
  std::vector<Axis> axes;
  int64_t start = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    const ops::SliceRange& range = (*slices)[i];
    axes.push_back({range.count, range.step * strides[i]});
    start += range.start * strides[i];
  }
  return std::make_unique<StridedKernel>(draft, task, axes, start);
}

}  // namespace causeway::engine::cpu
