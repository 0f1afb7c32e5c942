#include <algorithm>
#include <limits>

#include "causeway/engine/cpu/elementwise.h"
#include "causeway/engine/cpu/indices.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// The result is [outer, rows, row_size]: rows added up by their index, those of one index in their order. Each row of
// the result is written once.
class ScatterAddKernel final : public PiecedKernel {
 public:
  ScatterAddKernel(const Draft& draft, const Task& task, size_t axis)
      : updates_(draft.root(task.inputs[1])),
        to_(draft.root(task.outputs[0])),
        indices_(draft, task, task.inputs[0], draft[task.outputs[0]].lengths[axis]),
        add_(elementwise(Code::Add)) {
    const std::vector<int64_t>& lengths = draft[task.outputs[0]].lengths;
    rows_ = static_cast<size_t>(lengths[axis]);
    size_t outer = 1;
    for (size_t i = 0; i < axis; ++i) outer *= static_cast<size_t>(lengths[i]);
    for (size_t i = axis + 1; i < lengths.size(); ++i) row_size_ *= static_cast<size_t>(lengths[i]);
    by_rows_ = outer == 1;
    pieces_ = by_rows_ ? Pieces(rows_, row_size_) : Pieces(outer, rows_ * row_size_);
    // Each piece reads every index, so there are few.
    pieces_.a_piece = std::max(pieces_.a_piece, (pieces_.parts + kMostPieces - 1) / kMostPieces);
  }

  size_t scratch_bytes() const override {
    const size_t own = row_size_ * sizeof(float) + (rows_a_piece() + indices_.count()) * sizeof(int32_t);
    return std::max(own, indices_.scratch_bytes());
  }

  void begin(const Frame& frame) const override { indices_.expect_inside(frame); }
  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    auto* sum = reinterpret_cast<float*>(frame.scratch);
    auto* first = reinterpret_cast<int32_t*>(sum + row_size_);
    int32_t* next = first + rows_a_piece();
    const size_t begin = pieces_.begin(piece), end = pieces_.end(piece);
    const size_t first_row = by_rows_ ? begin : 0, rows = by_rows_ ? end - begin : rows_;
    list(frame, first_row, rows, first, next);
    for (size_t outer = by_rows_ ? 0 : begin; outer < (by_rows_ ? 1 : end); ++outer) {
      const float* updates = frame.of<float>(updates_) + outer * indices_.count() * row_size_;
      float* to = frame.to<float>(to_) + (outer * rows_ + first_row) * row_size_;
      for (size_t row = 0; row < rows; ++row, to += row_size_) add_up(updates, first[row], next, sum, to);
    }
  }

 private:
  // Long sums are taken in pieces, which keeps their error near that of a tree of sums.
  static constexpr int kPiece = 64;
  static constexpr size_t kMostPieces = 16;

  size_t rows_a_piece() const { return by_rows_ ? pieces_.a_piece : rows_; }

  // For each row the places that are added to it, in rising order: the first, and after each the next; below 0: none.
  void list(const Frame& frame, size_t begin, size_t rows, int32_t* first, int32_t* next) const {
    std::fill_n(first, rows, -1);
    indices_.with(frame, [&](auto place) {
      for (size_t i = indices_.count(); i-- > 0;) {
        const size_t row = place(i) - begin;  // of a place below, past every row
        if (row >= rows) continue;
        next[i] = first[row];
        first[row] = static_cast<int32_t>(i);
      }
    });
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

  ValueId updates_, to_;
  Indices indices_;
  size_t rows_ = 1, row_size_ = 1;
  bool by_rows_ = true;
  Pieces pieces_;
  Elementwise add_;
};

}  // namespace

std::unique_ptr<Kernel> scatter_add(const Draft& draft, const Task& task, const ops::ScatterAdd& op) {
  const DraftValue &indices = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  const bool is_listable = indices.size() < std::numeric_limits<int32_t>::max();
  if (y.dtype != DType::Float32 || y.size() == 0 || !is_listable) return nullptr;
  return std::make_unique<ScatterAddKernel>(draft, task, axis_in(op.axis, y.lengths.size()));
}

}  // namespace causeway::engine::cpu
