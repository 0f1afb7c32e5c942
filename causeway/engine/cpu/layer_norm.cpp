#include <algorithm>

#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/norm_rows.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/cpu/row_norms.h"
#include "causeway/engine/cpu/spread_norms.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

ValueId operand(const Draft& draft, const Task& task, size_t i) {
  return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
}

// What one piece works on: dense rows, or lines of some normalizations for each of some outer parts.
class NormKernel : public PiecedKernel {
 public:
  NormKernel(const NormRuns& runs, float epsilon, bool rms) : runs_(runs), epsilon_(epsilon), rms_(rms) {}

  size_t pieces() const override { return runs_.pieces(); }
  size_t scratch_bytes() const override {
    return runs_.are_rows()
               ? 0
               : SpreadNorms{.count = runs_.kept_a_piece(), .inner = runs_.inner}.scratch() * sizeof(float);
  }

 protected:
  RowNorms rows_of(size_t piece, const float* x, const float* weight, const float* bias) const {
    const Pieces parts = runs_.parts();
    const size_t begin = parts.begin(piece);
    return {parts.end(piece) - begin, runs_.length(), epsilon_, rms_, x + begin * runs_.length(), weight, bias};
  }
  size_t first_number(size_t piece) const {
    return runs_.parts().begin(piece) * runs_.along * runs_.kept * runs_.inner;
  }

  // Calls f(norms, place of their first number) for each outer part of a piece.
  template <class F>
  void each_spread(size_t piece, const float* x, const float* weight, const float* bias, F f) const {
    SpreadNorms norms{.along = runs_.along, .inner = runs_.inner, .line = runs_.kept * runs_.inner};
    norms.epsilon = epsilon_, norms.rms = rms_, norms.weight = weight, norms.bias = bias;
    const auto work = [&](size_t outer, size_t first, size_t count) {
      const size_t at = outer * runs_.along * norms.line + first * runs_.inner;
      norms.count = count, norms.x = x + at;
      f(norms, at);
    };
    if (runs_.is_split()) {
      const size_t each = runs_.kept_a_piece(), some = (runs_.kept + each - 1) / each, first = piece % some * each;
      return work(piece / some, first, std::min(each, runs_.kept - first));
    }
    const Pieces parts = runs_.parts();
    for (size_t outer = parts.begin(piece); outer < parts.end(piece); ++outer) work(outer, 0, runs_.kept);
  }

  NormRuns runs_;
  float epsilon_;
  bool rms_;
};

class LayerNormKernel final : public NormKernel {
 public:
  LayerNormKernel(const Draft& draft, const Task& task, const ops::LayerNorm& op, const NormRuns& runs)
      : NormKernel(runs, op.epsilon, op.rms) {
    x_ = operand(draft, task, 0), weight_ = operand(draft, task, 1), bias_ = operand(draft, task, 2);
    y_ = draft.root(task.outputs[0]);
  }
  void run_piece(const Frame& frame, size_t piece) const override {
    const float *x = frame.of<float>(x_), *weight = frame.of<float>(weight_), *bias = frame.of<float>(bias_);
    auto* y = frame.to<float>(y_);
    if (runs_.are_rows()) return normalize_rows(rows_of(piece, x, weight, bias), y + first_number(piece));
    auto* scratch = reinterpret_cast<float*>(frame.scratch);
    each_spread(piece, x, weight, bias,
                [&](const SpreadNorms& norms, size_t at) { normalize_spread(norms, y + at, scratch); });
  }

 private:
  ValueId x_ = 0, weight_ = kAbsent, bias_ = kAbsent, y_ = 0;
};

// Its second and third outputs have a row for each piece.
class GradientKernel final : public NormKernel {
 public:
  GradientKernel(const Draft& draft, const Task& task, const RowNormsGradient& op, const NormRuns& runs)
      : NormKernel(runs, op.epsilon, op.rms) {
    dy_ = operand(draft, task, 0), x_ = operand(draft, task, 1), weight_ = operand(draft, task, 2);
    const Readers readers(draft);
    const auto if_read = [&](ValueId id) { return readers.is_read(draft, id) ? draft.root(id) : kAbsent; };
    dx_ = if_read(task.outputs[0]);
    totals_ = if_read(task.outputs[1]) != kAbsent || if_read(task.outputs[2]) != kAbsent;
    dweight_ = draft.root(task.outputs[1]), dbias_ = draft.root(task.outputs[2]);
  }
  void run_piece(const Frame& frame, size_t piece) const override {
    const float *x = frame.of<float>(x_), *weight = frame.of<float>(weight_), *dy = frame.of<float>(dy_);
    float* dx = dx_ == kAbsent ? nullptr : frame.to<float>(dx_);
    float* dweight = totals_ ? frame.to<float>(dweight_) + piece * runs_.length() : nullptr;
    float* dbias = totals_ ? frame.to<float>(dbias_) + piece * runs_.length() : nullptr;
    if (runs_.are_rows()) {
      const size_t first = first_number(piece);
      return row_norms_gradient(rows_of(piece, x, weight, nullptr), dy + first, dx ? dx + first : nullptr, dweight,
                                dbias);
    }
    if (totals_) {
      std::fill_n(dweight, runs_.length(), 0.0f);
      std::fill_n(dbias, runs_.length(), 0.0f);
    }
    auto* scratch = reinterpret_cast<float*>(frame.scratch);
    each_spread(piece, x, weight, nullptr, [&](const SpreadNorms& norms, size_t at) {
      spread_norms_gradient(norms, dy + at, dx ? dx + at : nullptr, dweight, dbias, scratch);
    });
  }

 private:
  bool totals_ = false;
  ValueId dy_ = 0, x_ = 0, weight_ = kAbsent, dx_ = 0, dweight_ = 0, dbias_ = 0;
};

}  // namespace

std::optional<NormRuns> norm_runs(const DraftValue& x, const std::vector<int64_t>& axes) {
  const size_t rank = x.lengths.size();
  if (x.dtype != DType::Float32 || x.size() == 0 || axes.size() > rank) return std::nullopt;
  std::vector<bool> normalized(rank, false);
  for (const int64_t axis : axes) normalized[axis_in(axis, rank)] = true;
  // Axes of one number stand in no way; the others go from `outer` to `inner`, each run of them taking its turn.
  NormRuns runs;
  size_t* const turns[] = {&runs.outer, &runs.along, &runs.kept, &runs.inner};
  size_t at = 0;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (x.lengths[axis] == 1) continue;
    while (at < 4 && (at % 2 == 1) != normalized[axis]) ++at;
    if (at == 4) return std::nullopt;
    *turns[at] *= static_cast<size_t>(x.lengths[axis]);
  }
  return runs;
}

std::unique_ptr<Kernel> layer_norm(const Draft& draft, const Task& task, const ops::LayerNorm& op) {
  const std::optional<NormRuns> runs = norm_runs(draft[task.inputs[0]], op.axes);
  return runs ? std::make_unique<LayerNormKernel>(draft, task, op, *runs) : nullptr;
}

std::unique_ptr<Kernel> row_norms_gradient(const Draft& draft, const Task& task, const RowNormsGradient& op) {
  return std::make_unique<GradientKernel>(draft, task, op, *norm_runs(draft[task.inputs[1]], op.axes));
}

}  // namespace causeway::engine::cpu
