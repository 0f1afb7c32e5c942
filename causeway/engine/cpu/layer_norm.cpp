#include <algorithm>

#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/norm_rows.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/cpu/row_norms.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// The rows of one piece of all.
RowNorms piece_of(const NormRows& rows, const RowNorms& all, size_t piece) {
  RowNorms norms = all;
  norms.rows = std::min(rows.a_piece(), rows.count - piece * rows.a_piece());
  norms.count = rows.length;
  norms.x += piece * rows.a_piece() * rows.length;
  return norms;
}

ValueId operand(const Draft& draft, const Task& task, size_t i) {
  return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
}

class LayerNormKernel final : public PiecedKernel {
 public:
  LayerNormKernel(const Draft& draft, const Task& task, const ops::LayerNorm& op, const NormRows& rows)
      : rows_(rows), norms_{.epsilon = op.epsilon, .rms = op.rms} {
    x_ = operand(draft, task, 0), weight_ = operand(draft, task, 1), bias_ = operand(draft, task, 2);
    y_ = draft.root(task.outputs[0]);
  }
  size_t pieces() const override { return rows_.pieces(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    RowNorms all = norms_;
    all.x = frame.of<float>(x_), all.weight = frame.of<float>(weight_), all.bias = frame.of<float>(bias_);
    normalize_rows(piece_of(rows_, all, piece), frame.to<float>(y_) + piece * rows_.a_piece() * rows_.length);
  }

 private:
  NormRows rows_;
  RowNorms norms_;
  ValueId x_ = 0, weight_ = kAbsent, bias_ = kAbsent, y_ = 0;
};

// Its second and third outputs have a row for each piece.
class GradientKernel final : public PiecedKernel {
 public:
  GradientKernel(const Draft& draft, const Task& task, const RowNormsGradient& op, const NormRows& rows)
      : rows_(rows), norms_{.epsilon = op.epsilon, .rms = op.rms} {
    dy_ = operand(draft, task, 0), x_ = operand(draft, task, 1), weight_ = operand(draft, task, 2);
    const Readers readers(draft);
    const auto if_read = [&](ValueId id) { return readers.is_read(draft, id) ? draft.root(id) : kAbsent; };
    dx_ = if_read(task.outputs[0]);
    totals_ = if_read(task.outputs[1]) != kAbsent || if_read(task.outputs[2]) != kAbsent;
    dweight_ = draft.root(task.outputs[1]), dbias_ = draft.root(task.outputs[2]);
  }
  size_t pieces() const override { return rows_.pieces(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    RowNorms all = norms_;
    all.x = frame.of<float>(x_), all.weight = frame.of<float>(weight_);
    const size_t begin = piece * rows_.a_piece() * rows_.length, row = piece * rows_.length;
    row_norms_gradient(piece_of(rows_, all, piece), frame.of<float>(dy_) + begin,
                       dx_ == kAbsent ? nullptr : frame.to<float>(dx_) + begin,
                       totals_ ? frame.to<float>(dweight_) + row : nullptr,
                       totals_ ? frame.to<float>(dbias_) + row : nullptr);
  }

 private:
  NormRows rows_;
  RowNorms norms_;
  bool totals_ = false;
  ValueId dy_ = 0, x_ = 0, weight_ = kAbsent, dx_ = 0, dweight_ = 0, dbias_ = 0;
};

}  // namespace

std::optional<NormRows> norm_rows(const DraftValue& x, const std::vector<int64_t>& axes) {
  const size_t rank = x.lengths.size();
  if (x.dtype != DType::Float32 || x.size() == 0 || axes.size() > rank) return std::nullopt;
  std::vector<bool> normalized(rank, false);
  for (const int64_t axis : axes) normalized[axis_in(axis, rank)] = true;
  NormRows rows;
  for (size_t axis = 0; axis < rank; ++axis) {
    const bool is_last = axis + axes.size() >= rank;
    if (normalized[axis] != is_last) return std::nullopt;
    (is_last ? rows.length : rows.count) *= static_cast<size_t>(x.lengths[axis]);
  }
  return rows;
}

std::unique_ptr<Kernel> layer_norm(const Draft& draft, const Task& task, const ops::LayerNorm& op) {
  const std::optional<NormRows> rows = norm_rows(draft[task.inputs[0]], op.axes);
  return rows ? std::make_unique<LayerNormKernel>(draft, task, op, *rows) : nullptr;
}

std::unique_ptr<Kernel> row_norms_gradient(const Draft& draft, const Task& task, const RowNormsGradient& op) {
  return std::make_unique<GradientKernel>(draft, task, op, *norm_rows(draft[task.inputs[1]], op.axes));
}

}  // namespace causeway::engine::cpu
