#include <algorithm>
#include <cstring>

#include "causeway/engine/cpu/by_width.h"
#include "causeway/engine/cpu/indices.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// x is [outer, length, inner], and of each outer part the rows of `inner` numbers are copied that the indices name.
class GatherKernel final : public PiecedKernel {
 public:
  GatherKernel(const Draft& draft, const Task& task, size_t axis)
      : from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])),
        indices_(draft, task, task.inputs[1], draft[task.inputs[0]].lengths[axis]),
        bytes_(size_of(draft[task.inputs[0]].dtype)) {
    size_t outer = 1;
    const std::vector<int64_t>& lengths = draft[task.inputs[0]].lengths;
    for (size_t i = 0; i < axis; ++i) outer *= static_cast<size_t>(lengths[i]);
    for (size_t i = axis + 1; i < lengths.size(); ++i) inner_ *= static_cast<size_t>(lengths[i]);
    length_ = static_cast<size_t>(lengths[axis]);
    pieces_ = Pieces(outer * indices_.count(), inner_);
  }

  size_t scratch_bytes() const override { return indices_.scratch_bytes(); }
  void begin(const Frame& frame) const override { indices_.expect_inside(frame); }
  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    by_width(bytes_, [&](auto number) { rows<decltype(number)>(frame, piece); });
  }

 private:
  template <class T>
  void rows(const Frame& frame, size_t piece) const {
    const T* from = frame.of<T>(from_);
    T* to = frame.to<T>(to_) + pieces_.begin(piece) * inner_;
    indices_.with(frame, [&](auto place) {
      for (size_t row = pieces_.begin(piece), end = pieces_.end(piece); row < end; ++row, to += inner_) {
        const size_t outer = row / indices_.count(), at = outer * length_ + place(row % indices_.count());
        if (inner_ == 1) {
          *to = from[at];
        } else {
          std::memcpy(to, from + at * inner_, inner_ * sizeof(T));
        }
      }
    });
  }

  ValueId from_, to_;
  Indices indices_;
  size_t bytes_, inner_ = 1, length_ = 1;
  Pieces pieces_;
};

}  // namespace

std::unique_ptr<Kernel> gather(const Draft& draft, const Task& task, const ops::Gather& op) {
  if (draft[task.outputs[0]].size() == 0) return nullptr;
  return std::make_unique<GatherKernel>(draft, task, axis_in(op.axis, draft[task.inputs[0]].lengths.size()));
}

}  // namespace causeway::engine::cpu
