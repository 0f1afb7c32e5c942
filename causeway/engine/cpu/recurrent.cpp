#include "causeway/ops/recurrent.h"

#include <algorithm>

#include "causeway/engine/cpu/gemm.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/recurrent_steps.h"
#include "causeway/engine/cpu/rewrites.h"

namespace causeway::engine::cpu {
namespace {

// An operand; kAbsent where there is none.
ValueId operand(const Draft& draft, const Task& task, size_t i) {
  return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
}

struct Sizes {
  size_t rows = 0, steps = 0, hidden = 0;

  explicit Sizes(const DraftValue& shown)
      : rows(static_cast<size_t>(shown.lengths[0])),
        steps(static_cast<size_t>(shown.lengths[1])),
        hidden(static_cast<size_t>(shown.lengths[2])) {}

  size_t pieces() const { return (rows + kRowsTogether - 1) / kRowsTogether; }
  size_t rows_of(size_t piece) const { return std::min(kRowsTogether, rows - piece * kRowsTogether); }
};

// From row `first` of what has so many numbers a row; null stays.
template <class T>
T* from_row(T* numbers, size_t first, size_t row_size) {
  return numbers ? numbers + first * row_size : nullptr;
}

class StepsKernel final : public PiecedKernel {
 public:
  StepsKernel(const Draft& draft, const Task& task, const WalkedRecurrent& op)
      : op_(op.of), sizes_(draft[task.outputs[0]]) {
    for (size_t i = 0; i < std::size(in_); ++i) in_[i] = operand(draft, task, i);
    const Readers readers(draft);
    for (size_t i = 0; i < task.outputs.size(); ++i) {
      if (readers.is_read(draft, task.outputs[i])) out_[i] = draft.root(task.outputs[i]);
    }
  }

  size_t scratch_bytes() const override { return steps_scratch(kRowsTogether, sizes_.hidden) * sizeof(float); }
  size_t pieces() const override { return sizes_.pieces(); }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = piece * kRowsTogether, hidden = sizes_.hidden, series = sizes_.steps * hidden;
    const auto gates = static_cast<size_t>(op_.gates()), kept = static_cast<size_t>(op_.kept_blocks());
    const auto to = [&](size_t i) { return out_[i] == kAbsent ? nullptr : frame.to<float>(out_[i]); };
    StepsWalk walk{.op = op_, .rows = sizes_.rows_of(piece), .steps = sizes_.steps, .hidden = hidden};
    walk.a = from_row(frame.of<float>(in_[0]), first, gates * series);
    walk.weight = frame.of<float>(in_[1]);
    walk.bias = frame.of<float>(in_[2]);
    walk.h0 = from_row(frame.of<float>(in_[3]), first, hidden);
    walk.mask = from_row(frame.of<uint8_t>(in_[4]), first, sizes_.steps);
    walk.c0 = from_row(frame.of<float>(in_[5]), first, hidden);
    walk.shown = from_row(to(0), first, series);
    walk.h = from_row(to(1), first, hidden);
    walk.kept = from_row(to(2), first, kept * series);
    walk.c = from_row(to(3), first, hidden);
    walk_steps(walk, reinterpret_cast<float*>(frame.scratch));
  }

 private:
  ops::Recurrent op_;
  Sizes sizes_;
  ValueId in_[6];
  ValueId out_[4] = {kAbsent, kAbsent, kAbsent, kAbsent};
};

class BackKernel final : public PiecedKernel {
 public:
  BackKernel(const Draft& draft, const Task& task, const WalkedBack& op) : op_(op.of), sizes_(draft[task.inputs[3]]) {
    for (size_t i = 0; i < std::size(in_); ++i) in_[i] = operand(draft, task, i);
    for (size_t i = 0; i < task.outputs.size(); ++i) out_[i] = draft.root(task.outputs[i]);
  }

  size_t scratch_bytes() const override { return back_scratch(op_, kRowsTogether, sizes_.hidden) * sizeof(float); }
  size_t pieces() const override { return sizes_.pieces(); }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = piece * kRowsTogether, hidden = sizes_.hidden, series = sizes_.steps * hidden;
    const auto gates = static_cast<size_t>(op_.gates()), kept = static_cast<size_t>(op_.kept_blocks());
    const bool is_lstm = op_.cell == ops::CellKind::Lstm, is_gru = op_.cell == ops::CellKind::Gru;
    StepsBack walk{.op = op_, .rows = sizes_.rows_of(piece), .steps = sizes_.steps, .hidden = hidden};
    walk.dsteps = from_row(frame.of<float>(in_[0]), first, series);
    walk.dh = from_row(frame.of<float>(in_[1]), first, hidden);
    walk.kept = from_row(frame.of<float>(in_[2]), first, kept * series);
    walk.shown = from_row(frame.of<float>(in_[3]), first, series);
    walk.weight = frame.of<float>(in_[4]);
    walk.h0 = from_row(frame.of<float>(in_[5]), first, hidden);
    walk.mask = from_row(frame.of<uint8_t>(in_[6]), first, sizes_.steps);
    walk.c0 = from_row(frame.of<float>(in_[7]), first, hidden);
    walk.dc = from_row(frame.of<float>(in_[8]), first, hidden);
    walk.da = from_row(frame.to<float>(out_[0]), first, gates * series);
    walk.dh0 = from_row(frame.to<float>(out_[1]), first, hidden);
    if (is_gru) walk.dn = from_row(frame.to<float>(out_[2]), first, series);
    if (is_lstm) walk.dc0 = from_row(frame.to<float>(out_[2]), first, hidden);
    walk_back(walk, reinterpret_cast<float*>(frame.scratch));
  }

 private:
  ops::Recurrent op_;
  Sizes sizes_;
  ValueId in_[9], out_[3] = {};
};

// dweight = Σ h'·ds over all rows and steps, h the state before the step, and dbias = Σ ds: a gate a piece, so many
// steps at a time.
class WeightGradientKernel final : public PiecedKernel {
 public:
  WeightGradientKernel(const Draft& draft, const Task& task, const WalkedWeightGradient& op)
      : op_(op.of), sizes_(draft[task.inputs[2]]) {
    for (size_t i = 0; i < std::size(in_); ++i) in_[i] = operand(draft, task, i);
    dweight_ = draft.root(task.outputs[0]), dbias_ = draft.root(task.outputs[1]);
    has_bias_ = Readers(draft).is_read(draft, task.outputs[1]);
  }

  size_t scratch_bytes() const override {
    return (kStepsTogether * (sizes_.hidden + 1) + packed_size(kStepsTogether, sizes_.hidden)) * sizeof(float);
  }
  size_t pieces() const override { return static_cast<size_t>(op_.gates()); }

  void run_piece(const Frame& frame, size_t gate) const override {
    const size_t hidden = sizes_.hidden, gates = pieces(), all = sizes_.rows * sizes_.steps;
    const bool by_reset = op_.cell == ops::CellKind::Gru && gate == 2;
    const float* ds = by_reset ? frame.of<float>(in_[1]) : frame.of<float>(in_[0]) + gate * hidden;
    const size_t ds_row = by_reset ? hidden : gates * hidden;
    auto* states = reinterpret_cast<float*>(frame.scratch);
    float *ones = states + kStepsTogether * hidden, *packed = ones + kStepsTogether;
    std::fill_n(ones, kStepsTogether, 1.0f);
    Before before(*this, frame);
    for (size_t begin = 0; begin < all; begin += kStepsTogether) {
      const size_t count = std::min(kStepsTogether, all - begin);
      for (size_t i = 0; i < count; ++i) before.next(states + i * hidden);
      pack(ds + begin * ds_row, ds_row, 1, count, hidden, packed);
      Gemm product{.rows = hidden, .inner = count, .columns = hidden, .a = states, .a_row = hidden};
      product.a_transposed = true;
      product.b = packed, product.b_packed = true, product.adds = begin > 0;
      product.y = frame.to<float>(dweight_) + gate * hidden, product.y_row = gates * hidden;
      gemm(product, nullptr);
      if (!has_bias_) continue;
      product.rows = 1, product.a = ones, product.a_row = count, product.a_transposed = false;
      product.y = frame.to<float>(dbias_) + gate * hidden;
      gemm(product, nullptr);
    }
  }

 private:
  static constexpr size_t kStepsTogether = 256;

  // The states before one step after another, as these lie.
  class Before {
   public:
    Before(const WeightGradientKernel& kernel, const Frame& frame)
        : sizes_(kernel.sizes_),
          reverse_(kernel.op_.reverse),
          shown_(frame.of<float>(kernel.in_[2])),
          h0_(frame.of<float>(kernel.in_[3])),
          mask_(frame.of<uint8_t>(kernel.in_[4])) {}

    void next(float* to) {
      const float* from = earlier();
      if (from) {
        std::copy_n(from, sizes_.hidden, to);
      } else {
        std::fill_n(to, sizes_.hidden, 0.0f);
      }
      if (++step_ == sizes_.steps) step_ = 0, ++row_;
    }

   private:
    // At a masked step nothing leaves, so any state will do.
    const float* earlier() const {
      const size_t row = row_ * sizes_.steps;
      if (mask_ && !mask_[row + step_]) return nullptr;
      for (size_t step = step_; step != (reverse_ ? sizes_.steps - 1 : 0);) {
        reverse_ ? ++step : --step;
        if (!mask_ || mask_[row + step]) return shown_ + (row + step) * sizes_.hidden;
      }
      return h0_ ? h0_ + row_ * sizes_.hidden : nullptr;
    }

    const Sizes& sizes_;
    bool reverse_;
    const float *shown_, *h0_;
    const uint8_t* mask_;
    size_t row_ = 0, step_ = 0;
  };

  ops::Recurrent op_;
  Sizes sizes_;
  ValueId in_[5], dweight_ = 0, dbias_ = 0;
  bool has_bias_ = false;
};

class PackGatesKernel final : public Kernel {
 public:
  PackGatesKernel(const Draft& draft, const Task& task)
      : from_(draft.root(task.inputs[0])), to_(draft.root(task.outputs[0])) {
    hidden_ = static_cast<size_t>(draft[task.inputs[0]].lengths[0]);
    gates_ = static_cast<size_t>(draft[task.inputs[0]].lengths[1]) / hidden_;
  }
  void run(const Frame& frame) const override {
    cpu::pack_gates(frame.of<float>(from_), gates_, hidden_, frame.to<float>(to_));
  }

 private:
  ValueId from_, to_;
  size_t hidden_ = 0, gates_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> walked_recurrent(const Draft& draft, const Task& task, const WalkedRecurrent& op) {
  return std::make_unique<StepsKernel>(draft, task, op);
}
std::unique_ptr<Kernel> walked_back(const Draft& draft, const Task& task, const WalkedBack& op) {
  return std::make_unique<BackKernel>(draft, task, op);
}
std::unique_ptr<Kernel> walked_weight_gradient(const Draft& draft, const Task& task, const WalkedWeightGradient& op) {
  return std::make_unique<WeightGradientKernel>(draft, task, op);
}
std::unique_ptr<Kernel> pack_gates(const Draft& draft, const Task& task, const PackGates&) {
  return std::make_unique<PackGatesKernel>(draft, task);
}

}  // namespace causeway::engine::cpu
