#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/recurrent_sizes.h"
#include "causeway/engine/cpu/recurrent_steps.h"
#include "causeway/engine/cpu/rewrites.h"

namespace causeway::engine::cpu {
namespace {

size_t pieces_of(size_t rows) { return (rows + kRowsTogether - 1) / kRowsTogether; }
size_t rows_of(size_t piece, size_t rows) { return std::min(kRowsTogether, rows - piece * kRowsTogether); }

// From row `first` of what has so many numbers a row; null stays.
template <class T>
T* from_row(T* numbers, size_t first, size_t row_size) {
  return numbers ? numbers + first * row_size : nullptr;
}

class StepsKernel final : public PiecedKernel {
 public:
  StepsKernel(const Draft& draft, const Task& task, const WalkedRecurrent& op)
      : op_(op.of), sizes_(draft[task.outputs[0]]) {
    for (size_t i = 0; i < std::size(in_); ++i) in_[i] = operand_or_absent(draft, task, i);
    const Readers readers(draft);
    for (size_t i = 0; i < task.outputs.size(); ++i) {
      if (readers.is_read(draft, task.outputs[i])) out_[i] = draft.root(task.outputs[i]);
    }
  }

  size_t scratch_bytes() const override { return steps_scratch(kRowsTogether, sizes_.hidden) * sizeof(float); }
  size_t pieces() const override { return pieces_of(sizes_.rows); }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = piece * kRowsTogether, hidden = sizes_.hidden, series = sizes_.steps * hidden;
    const auto gates = static_cast<size_t>(op_.gates()), kept = static_cast<size_t>(op_.kept_blocks());
    const auto to = [&](size_t i) { return out_[i] == kAbsent ? nullptr : frame.to<float>(out_[i]); };
    StepsWalk walk{.op = op_, .rows = rows_of(piece, sizes_.rows), .steps = sizes_.steps, .hidden = hidden};
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
  RecurrentSizes sizes_;
  ValueId in_[6];
  ValueId out_[4] = {kAbsent, kAbsent, kAbsent, kAbsent};
};

class BackKernel final : public PiecedKernel {
 public:
  BackKernel(const Draft& draft, const Task& task, const WalkedBack& op) : op_(op.of), sizes_(draft[task.inputs[3]]) {
    for (size_t i = 0; i < std::size(in_); ++i) in_[i] = operand_or_absent(draft, task, i);
    for (size_t i = 0; i < task.outputs.size(); ++i) out_[i] = draft.root(task.outputs[i]);
  }

  size_t scratch_bytes() const override { return back_scratch(op_, kRowsTogether, sizes_.hidden) * sizeof(float); }
  size_t pieces() const override { return pieces_of(sizes_.rows); }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = piece * kRowsTogether, hidden = sizes_.hidden, series = sizes_.steps * hidden;
    const auto gates = static_cast<size_t>(op_.gates()), kept = static_cast<size_t>(op_.kept_blocks());
    const bool is_lstm = op_.cell == ops::CellKind::Lstm, resets_after = resets_after_product(op_);
    StepsBack walk{.op = op_, .rows = rows_of(piece, sizes_.rows), .steps = sizes_.steps, .hidden = hidden};
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
    if (resets_after) walk.dn = from_row(frame.to<float>(out_[2]), first, series);
    if (resets_before_product(op_)) walk.factor = from_row(frame.to<float>(out_[2]), first, series);
    if (is_lstm) walk.dc0 = from_row(frame.to<float>(out_[2]), first, hidden);
    walk_back(walk, reinterpret_cast<float*>(frame.scratch));
  }

 private:
  ops::Recurrent op_;
  RecurrentSizes sizes_;
  ValueId in_[9], out_[3] = {};
};

class PackGatesKernel final : public Kernel {
 public:
  PackGatesKernel(const Draft& draft, const Task& task, const PackGates& op)
      : together_(static_cast<size_t>(op.together)),
        from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])) {
    hidden_ = static_cast<size_t>(draft[task.inputs[0]].lengths[0]);
    gates_ = static_cast<size_t>(draft[task.inputs[0]].lengths[1]) / hidden_;
  }
  void run(const Frame& frame) const override {
    float* to = frame.to<float>(to_);
    cpu::pack_gates(frame.of<float>(from_), gates_, {0, together_}, hidden_, to);
    if (together_ == gates_) return;
    to += packed_gates_size(together_, hidden_);
    cpu::pack_gates(frame.of<float>(from_), gates_, {together_, gates_ - together_}, hidden_, to);
  }

 private:
  size_t together_, hidden_ = 0, gates_ = 0;
  ValueId from_, to_;
};

}  // namespace

std::unique_ptr<Kernel> walked_recurrent(const Draft& draft, const Task& task, const WalkedRecurrent& op) {
  return std::make_unique<StepsKernel>(draft, task, op);
}
std::unique_ptr<Kernel> walked_back(const Draft& draft, const Task& task, const WalkedBack& op) {
  return std::make_unique<BackKernel>(draft, task, op);
}
std::unique_ptr<Kernel> pack_gates(const Draft& draft, const Task& task, const PackGates& op) {
  return std::make_unique<PackGatesKernel>(draft, task, op);
}

}  // namespace causeway::engine::cpu
