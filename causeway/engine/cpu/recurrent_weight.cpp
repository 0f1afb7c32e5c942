#include <algorithm>

#include "causeway/engine/cpu/gemm.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/recurrent_sizes.h"
#include "causeway/engine/cpu/rewrites.h"

// What a recurrent layer's weight and bias gather over all rows and steps: dweight = Σ h'·ds, h the state before the
// step, and dbias = Σ ds. A gate is a piece.

namespace causeway::engine::cpu {
namespace {

constexpr size_t kStepsTogether = 256;

// One gate's numbers. A row of ds, the sums' gradients, is `ds_row` after the one before it.
struct Gate {
  RecurrentSizes sizes;
  bool reverse = false;
  const float* ds = nullptr;
  size_t ds_row = 0;
  const float* shown = nullptr;
  const float* h0 = nullptr;
  const uint8_t* mask = nullptr;
  /// What was multiplied in place of the states, step by step, where it is not null.
  const float* factor = nullptr;
  float* dweight = nullptr;
  size_t dweight_row = 0;
  float* dbias = nullptr;
};

// The states before one step after another, as these lie.
class Before {
 public:
  explicit Before(const Gate& gate) : gate_(gate) {}

  void next(float* to) {
    const float* from = earlier();
    const size_t hidden = gate_.sizes.hidden;
    from ? void(std::copy_n(from, hidden, to)) : void(std::fill_n(to, hidden, 0.0f));
    if (++step_ == gate_.sizes.steps) step_ = 0, ++row_;
  }

 private:
  // At a masked step nothing leaves, so any state will do.
  const float* earlier() const {
    const size_t row = row_ * gate_.sizes.steps;
    if (gate_.mask && !gate_.mask[row + step_]) return nullptr;
    for (size_t step = step_; step != (gate_.reverse ? gate_.sizes.steps - 1 : 0);) {
      gate_.reverse ? ++step : --step;
      if (!gate_.mask || gate_.mask[row + step]) return gate_.shown + (row + step) * gate_.sizes.hidden;
    }
    return gate_.h0 ? gate_.h0 + row_ * gate_.sizes.hidden : nullptr;
  }

  const Gate& gate_;
  size_t row_ = 0, step_ = 0;
};

class Totals {
 public:
  static size_t scratch(size_t hidden) { return kStepsTogether * (hidden + 1) + packed_size(kStepsTogether, hidden); }

  Totals(const Gate& gate, float* scratch)
      : gate_(gate), states_(scratch), ones_(states_ + kStepsTogether * gate.sizes.hidden) {
    packed_ = ones_ + kStepsTogether;
    std::fill_n(ones_, kStepsTogether, 1.0f);
  }

  // The state before a step is what is shown beside it, but where the row begins: there nothing is taken at first.
  void add_beside() {
    const size_t hidden = gate_.sizes.hidden, steps = gate_.sizes.steps, pairs = gate_.sizes.rows * steps - 1;
    const float *state = gate_.shown + (gate_.reverse ? hidden : 0),
                *ds = gate_.ds + (gate_.reverse ? 0 : gate_.ds_row);
    for (size_t begin = 0; begin < pairs; begin += kStepsTogether) {
      const size_t count = std::min(kStepsTogether, pairs - begin);
      pack(ds + begin * gate_.ds_row, gate_.ds_row, 1, count, hidden, packed_);
      for (size_t k = steps - 1 - begin % steps; k < count; k += steps) clear_packed_row(k, count, hidden, packed_);
      add(state + begin * hidden, count);
    }
    const float* first = gate_.ds + (gate_.reverse ? steps - 1 : 0) * gate_.ds_row;
    for (size_t begin = 0; begin < gate_.sizes.rows; begin += kStepsTogether) {
      const size_t count = std::min(kStepsTogether, gate_.sizes.rows - begin), row = steps * gate_.ds_row;
      pack(first + begin * row, row, 1, count, hidden, packed_);
      add(gate_.h0 ? gate_.h0 + begin * hidden : nullptr, count);
    }
  }

  // The state before a step lies wherever the real step before it is.
  void add_behind_masks() {
    Before before(gate_);
    add_all([&](size_t, size_t count) {
      for (size_t i = 0; i < count; ++i) before.next(states_ + i * gate_.sizes.hidden);
      return states_;
    });
  }

  void add_factors() {
    add_all([&](size_t begin, size_t) { return gate_.factor + begin * gate_.sizes.hidden; });
  }

  // Where no state was ever before a step.
  void fill_if_none() const {
    for (size_t k = 0; !adds_to_weight_ && k < gate_.sizes.hidden; ++k) {
      std::fill_n(gate_.dweight + k * gate_.dweight_row, gate_.sizes.hidden, 0.0f);
    }
  }

 private:
  // All steps, so many at a time; `states` gives what is multiplied of some.
  template <class States>
  void add_all(const States& states) {
    const size_t all = gate_.sizes.rows * gate_.sizes.steps;
    for (size_t begin = 0; begin < all; begin += kStepsTogether) {
      const size_t count = std::min(kStepsTogether, all - begin);
      pack(gate_.ds + begin * gate_.ds_row, gate_.ds_row, 1, count, gate_.sizes.hidden, packed_);
      add(states(begin, count), count);
    }
  }

  // Some states, noughts where they are null, and what is packed for them.
  void add(const float* states, size_t count) {
    const size_t hidden = gate_.sizes.hidden;
    Gemm product{.inner = count, .columns = hidden, .b = packed_, .b_packed = true};
    if (states) {
      product.rows = hidden, product.a = states, product.a_row = hidden, product.a_transposed = true;
      product.y = gate_.dweight, product.y_row = gate_.dweight_row, product.adds = adds_to_weight_;
      gemm(product, nullptr);
      adds_to_weight_ = true;
    }
    if (gate_.dbias) {
      product.rows = 1, product.a = ones_, product.a_row = count, product.a_transposed = false;
      product.y = gate_.dbias, product.adds = adds_to_bias_;
      gemm(product, nullptr);
      adds_to_bias_ = true;
    }
  }

  const Gate& gate_;
  float *states_, *ones_, *packed_;
  bool adds_to_weight_ = false, adds_to_bias_ = false;
};

class WeightGradientKernel final : public PiecedKernel {
 public:
  WeightGradientKernel(const Draft& draft, const Task& task, const WalkedWeightGradient& op)
      : op_(op.of), sizes_(draft[task.inputs[2]]) {
    for (size_t i = 0; i < std::size(in_); ++i) in_[i] = operand_or_absent(draft, task, i);
    dweight_ = draft.root(task.outputs[0]);
    if (Readers(draft).is_read(draft, task.outputs[1])) dbias_ = draft.root(task.outputs[1]);
  }

  size_t scratch_bytes() const override { return Totals::scratch(sizes_.hidden) * sizeof(float); }
  size_t pieces() const override { return static_cast<size_t>(op_.gates()); }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t hidden = sizes_.hidden, all = pieces() * hidden, first = piece * hidden;
    const bool by_reset = resets_after_product(op_) && piece == 2;
    Gate gate{.sizes = sizes_, .reverse = op_.reverse};
    gate.ds = by_reset ? frame.of<float>(in_[1]) : frame.of<float>(in_[0]) + first;
    gate.ds_row = by_reset ? hidden : all;
    gate.shown = frame.of<float>(in_[2]), gate.h0 = frame.of<float>(in_[3]), gate.mask = frame.of<uint8_t>(in_[4]);
    gate.dweight = frame.to<float>(dweight_) + first, gate.dweight_row = all;
    gate.dbias = dbias_ == kAbsent ? nullptr : frame.to<float>(dbias_) + first;
    if (resets_before_product(op_) && piece == 2) gate.factor = frame.of<float>(in_[5]);
    Totals totals(gate, reinterpret_cast<float*>(frame.scratch));
    if (gate.factor) {
      totals.add_factors();
    } else {
      gate.mask ? totals.add_behind_masks() : totals.add_beside();
    }
    totals.fill_if_none();
  }

 private:
  ops::Recurrent op_;
  RecurrentSizes sizes_;
  ValueId in_[6], dweight_ = 0, dbias_ = kAbsent;
};

}  // namespace

std::unique_ptr<Kernel> walked_weight_gradient(const Draft& draft, const Task& task, const WalkedWeightGradient& op) {
  return std::make_unique<WeightGradientKernel>(draft, task, op);
}

}  // namespace causeway::engine::cpu
