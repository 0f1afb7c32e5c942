#include <algorithm>

#include "causeway/engine/cpu/gemm.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// The matrices of a product: the last two axes, and the others as a count, whose operands repeat or not.
struct Batches {
  size_t count = 1;
  std::vector<size_t> a_offsets, b_offsets;  // empty: one matrix
};

size_t product(std::span<const int64_t> lengths) {
  size_t count = 1;
  for (const int64_t length : lengths) count *= static_cast<size_t>(length);
  return count;
}

std::span<const int64_t> leading(const std::vector<int64_t>& lengths) {
  return std::span(lengths).first(lengths.size() - 2);
}

// The offsets of an operand's matrix for each of the product's.
std::vector<size_t> offsets(const std::vector<int64_t>& operand, std::span<const int64_t> batch) {
  const size_t matrix = product(std::span(operand).last(2));
  const std::span<const int64_t> own = leading(operand);
  std::vector<size_t> all(product(batch));
  for (size_t i = 0; i < all.size(); ++i) {
    size_t left = i, offset = 0, stride = matrix;
    for (size_t axis = 0; axis < own.size(); ++axis) {
      const auto length = static_cast<size_t>(batch[batch.size() - 1 - axis]);
      const auto mine = static_cast<size_t>(own[own.size() - 1 - axis]);
      if (mine != 1) offset += left % length * stride;
      left /= length;
      stride *= mine;
    }
    all[i] = offset;
  }
  return all;
}

class MatMulKernel final : public PiecedKernel {
 public:
  MatMulKernel(const Draft& draft, const Task& task, const FusedMatMul& op) : op_(op) {
    a_ = draft.root(task.inputs[0]);
    b_ = draft.root(task.inputs[1]);
    const auto optional = [&](size_t i) {
      return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
    };
    bias_ = optional(2), added_ = optional(3);
    if (op.after) after_ = elementwise(op.after->code);
    y_ = draft.root(task.outputs[0]);
    const std::vector<int64_t>&a = draft[task.inputs[0]].lengths, &y = draft[task.outputs[0]].lengths;
    const size_t rank = a.size();
    columns_ = static_cast<size_t>(y.back());
    inner_ = static_cast<size_t>(op.transpose_a ? a[rank - 2] : a[rank - 1]);
    rows_ = static_cast<size_t>(op.transpose_a ? a[rank - 1] : a[rank - 2]);
    const bool one_b = op.packed || leading(draft[task.inputs[1]].lengths).empty();
    if (one_b && !op.transpose_a) {
      rows_ *= product(leading(a));
    } else if (y.size() > 2) {
      const std::span<const int64_t> batch = leading(y);
      batches_.count = product(batch);
      batches_.a_offsets = offsets(a, batch);
      batches_.b_offsets =
          one_b ? std::vector<size_t>(batches_.count, 0) : offsets(draft[task.inputs[1]].lengths, batch);
    }
    // A matrix of one row or column is its own transpose.
    if (inner_ == 1 || columns_ == 1) op_.transpose_b = false;
    if (!op_.packed) {
      packs_b_ = op_.transpose_b && !is_dots();
      scratch_ = packs_b_ ? packed_size(inner_, columns_) : gemm_scratch(inner_);
    }
  }

  size_t scratch_bytes() const override { return scratch_ * sizeof(float); }

  size_t pieces() const override {
    if (batches_.count > 1) return batches_.count;
    if (by_columns()) return (columns_ + kColumns - 1) / kColumns;
    return by_rows() ? (rows_ + kRows - 1) / kRows : 1;
  }

  void run_piece(const Frame& frame, size_t piece) const override {
    const auto *a = frame.of<float>(a_), *b = frame.of<float>(b_);
    float* y = frame.to<float>(y_);
    const float* added = frame.of<float>(added_);
    if (!batches_.a_offsets.empty()) {
      a += batches_.a_offsets[piece];
      b += batches_.b_offsets[piece];
      y += piece * rows_ * columns_;
      if (added) added += piece * rows_ * columns_;
    }
    multiply(frame, a, b, added, y, piece);
  }

 private:
  // What one thread works at a time, where there is work for several; multiples of what a tile holds.
  static constexpr size_t kColumns = 128, kRows = 48, kMostAlone = size_t{1} << 20;

  // One column of a product is a row of numbers, each the product of two rows.
  bool is_dots() const { return columns_ == 1 && !op_.packed && !op_.transpose_a; }
  bool is_turned_row() const { return columns_ == 1 && !op_.packed && bias_ == kAbsent; }
  bool is_split() const {
    return batches_.count == 1 && !packs_b_ && columns_ > 1 && rows_ * inner_ * columns_ > kMostAlone;
  }
  bool by_columns() const { return is_split() && columns_ >= 2 * kColumns; }
  bool by_rows() const { return is_split() && !by_columns(); }

  void multiply(const Frame& frame, const float* a, const float* b, const float* added, float* y, size_t piece) const {
    const float* bias = frame.of<float>(bias_);
    auto* scratch = reinterpret_cast<float*>(frame.scratch);
    if (is_dots()) {
      dots({rows_, inner_, a, b, bias ? *bias : 0, op_.low, op_.high, y});
      if (after_) after_(y, y, nullptr, nullptr, op_.after->settings, rows_);
      return;
    }
    Gemm g{.rows = rows_, .inner = inner_, .columns = columns_};
    g.low = op_.low;
    g.high = op_.high;
    g.after = after_;
    if (op_.after) g.after_settings = op_.after->settings;
    if (is_turned_row()) {
      // The transpose of the product has rows to read: one row times a.
      g.rows = 1;
      g.columns = rows_;
      g.a = b;
      g.a_row = inner_;
      g.b = a;
      g.b_row = rows_;
      g.y = y;
      g.y_row = rows_;
      return gemm(g, scratch);
    }
    g.a = a;
    g.a_row = op_.transpose_a ? rows_ : inner_;
    g.a_transposed = op_.transpose_a;
    g.b = b;
    g.b_row = columns_;
    g.b_packed = op_.packed;
    g.bias = bias;
    g.added = added;
    g.y = y;
    g.y_row = columns_;
    if (packs_b_) {
      pack(b, 1, inner_, inner_, columns_, scratch);
      g.b = scratch;
      g.b_packed = true;
    }
    if (by_columns()) take_columns(g, piece * kColumns);
    if (by_rows()) take_rows(g, piece * kRows);
    gemm(g, scratch);
  }

  void take_columns(Gemm& g, size_t first) const {
    g.columns = std::min(kColumns, columns_ - first);
    g.b += op_.packed ? first * inner_ : first;
    if (g.bias) g.bias += first;
    if (g.added) g.added += first;
    g.y += first;
  }
  void take_rows(Gemm& g, size_t first) const {
    g.rows = std::min(kRows, rows_ - first);
    g.a += op_.transpose_a ? first : first * inner_;
    if (g.added) g.added += first * columns_;
    g.y += first * columns_;
  }

  FusedMatMul op_;
  Elementwise after_ = nullptr;
  ValueId a_ = 0, b_ = 0, bias_ = kAbsent, added_ = kAbsent, y_ = 0;
  size_t rows_ = 0, inner_ = 0, columns_ = 0, scratch_ = 0;
  Batches batches_;
  bool packs_b_ = false;
};

class PackKernel final : public Kernel {
 public:
  PackKernel(const Draft& draft, const Task& task, const PackMatrix& op)
      : from_(draft.root(task.inputs[0])), to_(draft.root(task.outputs[0])), transposed_(op.transposed) {
    rows_ = static_cast<size_t>(draft[task.inputs[0]].lengths[0]);
    columns_ = static_cast<size_t>(draft[task.inputs[0]].lengths[1]);
  }
  void run(const Frame& frame) const override {
    if (transposed_) {
      pack(frame.of<float>(from_), 1, columns_, columns_, rows_, frame.to<float>(to_));
    } else {
      pack(frame.of<float>(from_), columns_, 1, rows_, columns_, frame.to<float>(to_));
    }
  }

 private:
  ValueId from_, to_;
  bool transposed_;
  size_t rows_ = 0, columns_ = 0;
};

}  // namespace

std::vector<int64_t> packed_lengths(const std::vector<int64_t>& matrix, bool transposed) {
  const auto rows = static_cast<size_t>(matrix[transposed ? 1 : 0]);
  const auto columns = static_cast<size_t>(matrix[transposed ? 0 : 1]);
  return {static_cast<int64_t>(packed_size(rows, columns))};
}

std::unique_ptr<Kernel> fused_mat_mul(const Draft& draft, const Task& task, const FusedMatMul& op) {
  return std::make_unique<MatMulKernel>(draft, task, op);
}
std::unique_ptr<Kernel> pack_matrix(const Draft& draft, const Task& task, const PackMatrix& op) {
  return std::make_unique<PackKernel>(draft, task, op);
}

}  // namespace causeway::engine::cpu
