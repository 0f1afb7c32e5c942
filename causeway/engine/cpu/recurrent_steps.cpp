// Recurrent layers step by step: the state's product with the weight and the gates behind it, units by units.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/recurrent_steps.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <array>

#include "causeway/engine/cpu/cells-inl.h"
#include "causeway/engine/cpu/recurrent_steps.h"
#include "causeway/engine/cpu/recurrent_sums-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

using ops::CellKind;

// What is worked behind one product: a cell's whole step, or of a gru that resets before its second product what comes
// before that, and what behind.
enum class Stage { Lstm, Gru, Reset, AfterReset, SimpleRnn };
struct StageSizes {
  size_t gates = 0, kept = 0, sums = 0;  // blocks in a and in what is kept; gates in the product
};
constexpr StageSizes sizes_of(Stage stage) {
  switch (stage) {
    case Stage::Lstm:
      return {4, 5, 4};
    case Stage::Gru:
      return {3, 4, 3};
    case Stage::Reset:
      return {3, 3, 2};
    case Stage::AfterReset:
      return {3, 3, 1};
    default:
      return {1, 1, 1};
  }
}

// What gates make of one row's sums. kUsual: sigmoid and tanh; kWhole: all the vector's units; the compiler then knows.
template <Stage kStage, bool kUsual, bool kWhole>
class Gates {
 public:
  static constexpr StageSizes kSizes = sizes_of(kStage);

  HWY_INLINE Gates(const Units& units, size_t row, float* sums)
      : walk_(units.walk), hidden_(walk_.hidden), width_(units.width), sums_(sums) {
    const size_t at = row * walk_.steps + units.place, state = row * units.row_size + units.first;
    const bool is_last = units.place == (walk_.op.reverse ? 0 : walk_.steps - 1);
    a_ = walk_.a + at * kSizes.gates * hidden_ + units.first;
    a_next_ = is_last ? a_ : walk_.op.reverse ? a_ - kSizes.gates * hidden_ : a_ + kSizes.gates * hidden_;
    shown_ = walk_.shown ? walk_.shown + at * hidden_ + units.first : nullptr;
    kept_ = walk_.kept ? walk_.kept + at * kSizes.kept * hidden_ + units.first : nullptr;
    before_ = units.before + state, after_ = units.after + state, c_ = units.c + state;
    reset_ = units.reset + state, stay_ = units.stay + state;
  }

  // What does not wait for another of the row's functions; the sums are overwritten. A function takes some sixty cycles
  // and rows wait for each other in none, so all rows of a tile go before the first is finished.
  HWY_INLINE void begin() const {
    const D d;
    if constexpr (kStage == Stage::Lstm) {
      const Made in = f(hn::Add(a(0), s(0))), forget = f(hn::Add(a(1), s(1)));
      const Made update = g(hn::Add(a(2), s(2))), out = f(hn::Add(a(3), s(3)));
      const V cell = hn::MulAdd(in.value, update.value, hn::Mul(forget.value, hn::Load(d, c_)));
      hn::Store(cell, d, c_);
      set_s(3, out.value);
      keep(0, {in.kept, forget.kept, update.kept, out.kept, cell});
    } else if constexpr (kStage == Stage::Gru) {
      const Made reset = f(hn::Add(a(0), s(0))), stay = f(hn::Add(a(1), s(1)));
      keep(0, {reset.kept, stay.kept});
      set_s(0, reset.value);
      set_s(1, stay.value);
    } else if constexpr (kStage == Stage::Reset) {
      const Made reset = f(hn::Add(a(0), s(0))), stay = f(hn::Add(a(1), s(1)));
      keep(0, {reset.kept, stay.kept});
      hn::Store(hn::Mul(reset.value, hn::Load(d, before_)), d, reset_);
      hn::Store(stay.value, d, stay_);
    }
  }

  HWY_INLINE void finish() const {
    const D d;
    if constexpr (kStage == Stage::Lstm) {
      give(hn::Mul(s(3), g(hn::Load(d, c_)).value));
    } else if constexpr (kStage == Stage::Gru) {
      const Made now = g(hn::MulAdd(s(0), s(2), a(2)));
      keep(2, {now.kept, s(2)});
      give(hn::MulAdd(s(1), hn::Sub(hn::Load(d, before_), now.value), now.value));
    } else if constexpr (kStage == Stage::AfterReset) {
      const Made now = g(hn::Add(a(2), s(0)));
      keep(2, {now.kept});
      give(hn::MulAdd(hn::Load(d, stay_), hn::Sub(hn::Load(d, before_), now.value), now.value));
    } else if constexpr (kStage == Stage::SimpleRnn) {
      const Made h = g(hn::Add(a(0), s(0)));
      keep(0, {h.kept});
      give(h.value);
    }
  }

  // A step that is masked: the state stays.
  void pass(bool repeats) const {
    if (kStage == Stage::Reset) return;
    const D d;
    const V h = hn::Load(d, before_);
    hn::Store(h, d, after_);
    if (shown_) store(repeats ? h : hn::Zero(d), shown_);
    for (size_t k = 0; k < kSizes.kept; ++k) keep(k, {hn::Zero(d)});
  }

 private:
  HWY_INLINE Made f(V x) const { return kUsual ? made(Kind::Sigmoid, x) : made(walk_.op.recurrent_activation, x); }
  HWY_INLINE Made g(V x) const { return kUsual ? made(Kind::Tanh, x) : made(walk_.op.activation, x); }
  // The next step's is asked for already: it lies too far off for the machine to guess.
  HWY_INLINE V a(size_t gate) const {
    hwy::Prefetch(a_next_ + gate * hidden_);
    return kWhole ? hn::LoadU(D(), a_ + gate * hidden_) : load_some(D(), a_ + gate * hidden_, width_);
  }
  HWY_INLINE V s(size_t gate) const { return hn::Load(D(), sums_ + gate * hn::Lanes(D())); }
  HWY_INLINE void set_s(size_t gate, V v) const { hn::Store(v, D(), sums_ + gate * hn::Lanes(D())); }
  HWY_INLINE void store(V v, float* to) const { kWhole ? hn::StoreU(v, D(), to) : store_some(v, D(), to, width_); }
  template <size_t kBlocks>
  HWY_INLINE void keep(size_t first, const V (&blocks)[kBlocks]) const {
    if (!kept_) return;
#pragma GCC unroll 5
    for (size_t k = 0; k < kBlocks; ++k) store(blocks[k], kept_ + (first + k) * hidden_);
  }
  HWY_INLINE void give(V h) const {
    hn::Store(h, D(), after_);
    if (shown_) store(h, shown_);
  }

  const StepsWalk& walk_;
  size_t hidden_, width_;
  const float *a_, *a_next_, *before_;
  float *sums_, *after_, *c_, *reset_, *stay_, *shown_, *kept_;
};

void load_states(const float* from, size_t rows, size_t hidden, size_t row_size, float* to) {
  std::fill_n(to, rows * row_size, 0.0f);
  for (size_t row = 0; from && row < rows; ++row) std::copy_n(from + row * hidden, hidden, to + row * row_size);
}
void store_states(const float* from, size_t rows, size_t hidden, size_t row_size, float* to) {
  for (size_t row = 0; to && row < rows; ++row) std::copy_n(from + row * row_size, hidden, to + row * hidden);
}

// The first real step of a row, as they are walked.
size_t first_real(const StepsWalk& walk, size_t row) {
  const uint8_t* mask = walk.mask + row * walk.steps;
  size_t i = 0;
  while (i < walk.steps && !mask[walk.op.reverse ? walk.steps - 1 - i : i]) ++i;
  return i;
}

// What one step needs beside its units: its number, and the first real step of each row, where there is a mask.
struct Real {
  size_t step = 0;
  std::array<size_t, kRowsTogether> first = {};
};

template <class Work>
void walk_units(const Units& units, const Real& real, float* sums) {
  const StepsWalk& walk = units.walk;
  const size_t lanes = hn::Lanes(D());
  constexpr size_t kSums = Work::kSizes.sums;
  for (size_t row = 0; row < walk.rows;) {
    const SizedSums tile = sums_for<kSums>(walk.rows - row);
    tile.work(units, row, sums);
    const auto gates = [&](size_t r) HWY_ATTR { return Work(units, row + r, sums + r * kSums * lanes); };
    const auto is_real = [&](size_t r) { return !walk.mask || walk.mask[(row + r) * walk.steps + units.place]; };
    for (size_t r = 0; r < tile.rows; ++r) {
      is_real(r) ? gates(r).begin() : gates(r).pass(walk.op.repeat_masked && real.first[row + r] < real.step);
    }
    for (size_t r = 0; r < tile.rows; ++r) {
      if (is_real(r)) gates(r).finish();
    }
    row += tile.rows;
  }
}

// A stage of one step, for all units and rows. The next stage's panels lie behind.
template <Stage kStage, bool kUsual>
void walk_stage(Units& units, const Real& real, float* sums) {
  const size_t lanes = hn::Lanes(D()), hidden = units.walk.hidden;
  for (units.first = 0; units.first < hidden; units.first += lanes) {
    units.width = std::min(lanes, hidden - units.first);
    const auto work =
        units.width == lanes ? walk_units<Gates<kStage, kUsual, true>> : walk_units<Gates<kStage, kUsual, false>>;
    work(units, real, sums);
    units.panel += hidden * sizes_of(kStage).sums * lanes;
  }
}

template <Stage kStage, bool kUsual>
void walk_all(const StepsWalk& walk, float* scratch) {
  const size_t hidden = walk.hidden, row_size = padded(hidden), states = walk.rows * row_size;
  float *before = scratch, *after = scratch + states, *c = after + states, *stay = c + states, *sums = stay + states;
  load_states(walk.h0, walk.rows, hidden, row_size, before);
  load_states(walk.c0, walk.rows, hidden, row_size, c);
  Real real;
  for (size_t row = 0; walk.mask && row < walk.rows; ++row) real.first[row] = first_real(walk, row);
  for (size_t& i = real.step; i < walk.steps; ++i) {
    Units units{.walk = walk, .place = walk.op.reverse ? walk.steps - 1 - i : i, .row_size = row_size};
    units.factor = before, units.inner = i > 0 || walk.h0 ? hidden : 0;
    units.panel = walk.weight, units.bias = walk.bias;
    // A gru has no c, and r times its state lies there.
    units.before = before, units.after = after, units.c = units.reset = c, units.stay = stay;
    walk_stage<kStage, kUsual>(units, real, sums);
    if constexpr (kStage == Stage::Reset) {
      units.factor = units.reset;
      if (walk.bias) units.bias = walk.bias + sizes_of(Stage::Reset).sums * hidden;
      walk_stage<Stage::AfterReset, kUsual>(units, real, sums);
    }
    std::swap(before, after);
  }
  store_states(before, walk.rows, hidden, row_size, walk.h);
  if (kStage == Stage::Lstm) store_states(c, walk.rows, hidden, row_size, walk.c);
}

template <Stage kStage>
void walk_cell(const StepsWalk& walk, float* scratch) {
  const bool usual = walk.op.activation.kind == Kind::Tanh && walk.op.recurrent_activation.kind == Kind::Sigmoid;
  usual ? walk_all<kStage, true>(walk, scratch) : walk_all<kStage, false>(walk, scratch);
}

void walk(const StepsWalk& walk, float* scratch) {
  switch (walk.op.cell) {
    case CellKind::Lstm:
      return walk_cell<Stage::Lstm>(walk, scratch);
    case CellKind::Gru:
      return walk.op.reset_after ? walk_cell<Stage::Gru>(walk, scratch) : walk_cell<Stage::Reset>(walk, scratch);
    case CellKind::SimpleRnn:
      return walk_cell<Stage::SimpleRnn>(walk, scratch);
  }
}

size_t scratch_of(size_t rows, size_t hidden) {
  return 4 * rows * padded(hidden) + kMostGates * kHighest * hn::Lanes(D());
}

size_t size_packed(size_t gates, size_t hidden) { return hidden * gates * padded(hidden); }

void pack(const float* weight, size_t gates, GatesTogether some, size_t hidden, float* to) {
  const size_t lanes = hn::Lanes(D());
  for (size_t first = 0; first < hidden; first += lanes) {
    const size_t width = std::min(lanes, hidden - first);
    for (size_t k = 0; k < hidden; ++k) {
      for (size_t g = some.first; g < some.first + some.count; ++g, to += lanes) {
        std::copy_n(weight + (k * gates + g) * hidden + first, width, to);
        std::fill(to + width, to + lanes, 0.0f);
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(walk);
HWY_EXPORT(scratch_of);
HWY_EXPORT(size_packed);
HWY_EXPORT(pack);

bool walks(const ops::Recurrent& op) {
  return is_walked(op.activation.kind) &&
         (op.cell == ops::CellKind::SimpleRnn || is_walked(op.recurrent_activation.kind));
}
size_t packed_gates_size(size_t gates, size_t hidden) { return HWY_DYNAMIC_DISPATCH(size_packed)(gates, hidden); }
void pack_gates(const float* weight, size_t gates, GatesTogether some, size_t hidden, float* to) {
  HWY_DYNAMIC_DISPATCH(pack)(weight, gates, some, hidden, to);
}
void walk_steps(const StepsWalk& steps, float* scratch) { HWY_DYNAMIC_DISPATCH(walk)(steps, scratch); }
size_t steps_scratch(size_t rows, size_t hidden) { return HWY_DYNAMIC_DISPATCH(scratch_of)(rows, hidden); }
}  // namespace causeway::engine::cpu
#endif
