#include <algorithm>

#include "causeway/engine/cpu/by_width.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/engine/cpu/slices.h"
#include "causeway/tensor/shape.h"

// Copies and sums between places that a list along each axis names: borders of cells of x, slices by steps.

namespace causeway::engine::cpu {
namespace {

// The picking side is walked place by place, whole axes at its end as one block; the other is read or added to where the
// lists say.
class PickedKernel final : public PiecedKernel {
 public:
  PickedKernel(const Draft& draft, const Task& task, PlaceMaps maps, bool sums)
      : from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])),
        sums_(sums),
        bytes_(size_of(draft[task.inputs[0]].dtype)),
        offsets_(std::move(maps)) {
    const std::vector<int64_t>& other = draft[sums ? task.outputs[0] : task.inputs[0]].lengths;
    const std::vector<int64_t> strides = dense_strides(other);
    const auto is_whole = [&](size_t axis) {
      if (static_cast<int64_t>(offsets_[axis].size()) != other[axis]) return false;
      for (size_t i = 0; i < offsets_[axis].size(); ++i) {
        if (offsets_[axis][i] != static_cast<int64_t>(i)) return false;
      }
      return true;
    };
    while (offsets_.size() > 1 && is_whole(offsets_.size() - 1)) {
      block_ *= other[offsets_.size() - 1];
      offsets_.pop_back();
    }
    // Sums of different pieces meet nowhere where the outermost axis is whole.
    const bool has_pieces = !sums || is_whole(0);
    outermost_ = strides[0];
    all_ = draft[sums ? task.outputs[0] : task.inputs[0]].size();
    for (size_t axis = 0; axis < offsets_.size(); ++axis) {
      for (int64_t& offset : offsets_[axis]) offset *= strides[axis];
    }
    steps_.assign(offsets_.size(), block_);
    for (size_t i = offsets_.size() - 1; i-- > 0;) {
      steps_[i] = steps_[i + 1] * static_cast<int64_t>(offsets_[i + 1].size());
    }
    pieces_ = Pieces(offsets_[0].size(), static_cast<size_t>(steps_[0]));
    if (!has_pieces) pieces_.a_piece = pieces_.parts;
  }

  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t begin = pieces_.begin(piece), end = pieces_.end(piece);
    if (sums_) {
      float* to = frame.to<float>(to_);
      const bool is_one = pieces_.count() == 1;
      const int64_t first = is_one ? 0 : static_cast<int64_t>(begin) * outermost_;
      std::fill(to + first, to + (is_one ? all_ : static_cast<int64_t>(end) * outermost_), 0.0f);
      const float* from = frame.of<float>(from_);
      return walk(0, begin, end, 0, 0, [&](int64_t own, int64_t other) {
        for (int64_t i = 0; i < block_; ++i) to[other + i] += from[own + i];
      });
    }
    by_width(bytes_, [&](auto number) { copy<decltype(number)>(frame, begin, end); });
  }

 private:
  template <class T>
  void copy(const Frame& frame, size_t begin, size_t end) const {
    const T* from = frame.of<T>(from_);
    T* to = frame.to<T>(to_);
    walk(0, begin, end, 0, 0, [&](int64_t own, int64_t other) {
      if (block_ == 1) {
        to[own] = from[other];
      } else {
        std::copy_n(from + other, block_, to + own);
      }
    });
  }

  // Calls work(place on the picking side, place on the other) for each block.
  template <class F>
  void walk(size_t axis, size_t begin, size_t end, int64_t own, int64_t other, const F& work) const {
    const std::vector<int64_t>& offsets = offsets_[axis];
    for (size_t i = begin; i < end; ++i) {
      const int64_t mine = own + static_cast<int64_t>(i) * steps_[axis], its = other + offsets[i];
      if (axis + 1 == offsets_.size()) {
        work(mine, its);
      } else {
        walk(axis + 1, 0, offsets_[axis + 1].size(), mine, its, work);
      }
    }
  }

  ValueId from_, to_;
  bool sums_;
  size_t bytes_;
  int64_t block_ = 1, outermost_ = 1, all_ = 0;
  std::vector<std::vector<int64_t>> offsets_;
  std::vector<int64_t> steps_;
  Pieces pieces_;
};

std::unique_ptr<Kernel> picked(const Draft& draft, const Task& task, PlaceMaps maps, bool sums) {
  const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  if (x.lengths.empty() || x.size() == 0 || y.size() == 0 || (sums && y.dtype != DType::Float32)) return nullptr;
  return std::make_unique<PickedKernel>(draft, task, std::move(maps), sums);
}

}  // namespace

std::unique_ptr<Kernel> picked_copy(const Draft& draft, const Task& task, PlaceMaps maps) {
  return picked(draft, task, std::move(maps), false);
}
std::unique_ptr<Kernel> picked_sums(const Draft& draft, const Task& task, PlaceMaps maps) {
  return picked(draft, task, std::move(maps), true);
}

}  // namespace causeway::engine::cpu
