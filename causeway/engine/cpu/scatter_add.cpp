#include <algorithm>
#include <limits>

#include "causeway/engine/cpu/elementwise.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// Rows added up by their index, those of one index in their order: each row of the result is written once. What only
// data can cause is left to the reference, which says it.
class ScatterAddKernel final : public Kernel {
 public:
  ScatterAddKernel(const Draft& draft, const Task& task, std::unique_ptr<Kernel> reference)
      : indices_(draft.root(task.inputs[0])),
        updates_(draft.root(task.inputs[1])),
        to_(draft.root(task.outputs[0])),
        is_wide_(draft[task.inputs[0]].dtype == DType::Int64),
        count_(draft[task.inputs[0]].size()),
        rows_(draft[task.outputs[0]].lengths[0]),
        row_size_(static_cast<size_t>(draft[task.outputs[0]].size() / rows_)),
        add_(elementwise(Code::Add)),
        reference_(std::move(reference)) {}

  size_t scratch_bytes() const override {
    const size_t own = row_size_ * sizeof(float) + static_cast<size_t>(rows_ + count_) * sizeof(int32_t);
    return std::max(own, reference_->scratch_bytes());
  }

  void run(const Frame& frame) const override {
    auto* piece = reinterpret_cast<float*>(frame.scratch);
    auto* first = reinterpret_cast<int32_t*>(piece + row_size_);
    int32_t* next = first + rows_;
    const bool fits =
        is_wide_ ? list(frame.of<int64_t>(indices_), first, next) : list(frame.of<int32_t>(indices_), first, next);
    if (!fits) return reference_->run(frame);
    const float* updates = frame.of<float>(updates_);
    float* to = frame.to<float>(to_);
    for (int64_t row = 0; row < rows_; ++row, to += row_size_) add_up(updates, first[row], next, piece, to);
  }

 private:
  // Long sums are taken in pieces, which keeps their error near that of a tree of sums.
  static constexpr int kPiece = 64;

  // For each row the places that are added to it, in rising order: the first, and after each the next; below 0: none.
  template <class Index>
  bool list(const Index* indices, int32_t* first, int32_t* next) const {
    std::fill_n(first, rows_, -1);
    for (int64_t i = count_; i-- > 0;) {
      const int64_t index = indices[i] < 0 ? indices[i] + rows_ : indices[i];
      if (index < 0 || index >= rows_) return false;
      next[i] = first[index];
      first[index] = static_cast<int32_t>(i);
    }
    return true;
  }

  void add_up(const float* updates, int32_t at, const int32_t* next, float* piece, float* to) const {
    if (at < 0) {
      std::fill_n(to, row_size_, 0.0f);
      return;
    }
    at = add_piece(updates, at, next, to);
    while (at >= 0) {
      at = add_piece(updates, at, next, piece);
      add_(to, to, piece, nullptr, {}, row_size_);
    }
  }
  int32_t add_piece(const float* updates, int32_t at, const int32_t* next, float* to) const {
    const auto update = [&] { return updates + static_cast<size_t>(at) * row_size_; };
    std::copy_n(update(), row_size_, to);
    at = next[at];
    for (int count = 1; at >= 0 && count < kPiece; ++count, at = next[at]) {
      add_(to, to, update(), nullptr, {}, row_size_);
    }
    return at;
  }

  ValueId indices_, updates_, to_;
  bool is_wide_;
  int64_t count_, rows_;
  size_t row_size_;
  Elementwise add_;
  std::unique_ptr<Kernel> reference_;
};

}  // namespace

std::unique_ptr<Kernel> scatter_add(const Draft& draft, const Task& task, const ops::ScatterAdd& op) {
  const DraftValue &indices = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  const bool is_listable = indices.size() < std::numeric_limits<int32_t>::max();
  if (y.dtype != DType::Float32 || y.size() == 0 || axis_in(op.axis, y.lengths.size()) != 0 || !is_listable) {
    return nullptr;
  }
  return std::make_unique<ScatterAddKernel>(draft, task, reference_kernel(draft, task));
}

}  // namespace causeway::engine::cpu
