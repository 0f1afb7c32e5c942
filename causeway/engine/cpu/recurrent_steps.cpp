// Recurrent layers step by step: the state's product with the weight and the gates behind it, units by units.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/recurrent_steps.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <array>
#include <utility>

#include "causeway/engine/cpu/cells-inl.h"
#include "causeway/engine/cpu/recurrent_steps.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

using ops::CellKind;

constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
constexpr size_t kMostGates = 4, kHighest = 12;

size_t padded(size_t hidden) {
  const size_t lanes = hn::Lanes(D());
  return (hidden + lanes - 1) / lanes * lanes;
}

// What one step of some rows reads and writes of some units; the states have `padded` numbers a row.
struct Units {
  const StepsWalk& walk;
  /// Which units, how many, the step's place in the series, and the panel of the weight; how many numbers of the state
  /// are read, none where all are noughts.
  size_t first = 0, width = 0, place = 0, row_size = 0, inner = 0;
  const float* panel = nullptr;
  const float* before = nullptr;
  float* after = nullptr;
  float* c = nullptr;
};

// Sums of rows begin … begin + kRows - 1: to[row][gate] = bias + before·weight, a vector each.
template <size_t kGates, size_t kRows>
void sums_of(const Units& units, size_t begin, float* to) {
  const D d;
  const size_t lanes = hn::Lanes(d), hidden = units.walk.hidden, row_size = units.row_size;
  // A sum waits four cycles for the one before it: small tiles take several at a time.
  constexpr size_t kSums = kRows * kGates >= 8 ? 1 : kRows * kGates >= 4 ? 2 : 4;
  V sum[kSums][kRows][kGates];
  for (size_t g = 0; g < kGates; ++g) {
    const float* bias = units.walk.bias;
    V start = hn::Zero(d);
    if (bias) {
      const float* from = bias + g * hidden + units.first;
      start = units.width == lanes ? hn::LoadU(d, from) : load_some(d, from, units.width);
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      sum[0][r][g] = start;
      for (size_t s = 1; s < kSums; ++s) sum[s][r][g] = hn::Zero(d);
    }
  }
  const float* HWY_RESTRICT state = units.before + begin * row_size;
  const float* HWY_RESTRICT panel = units.panel;
  const auto step = [&](size_t s, size_t k) HWY_ATTR {
    V row[kGates];
#pragma GCC unroll 4
    for (size_t g = 0; g < kGates; ++g) row[g] = hn::Load(d, panel + (k * kGates + g) * lanes);
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      const V number = hn::Set(d, state[r * row_size + k]);
#pragma GCC unroll 4
      for (size_t g = 0; g < kGates; ++g) sum[s][r][g] = hn::MulAdd(number, row[g], sum[s][r][g]);
    }
  };
  size_t k = 0;
  for (; k + kSums <= units.inner; k += kSums) {
#pragma GCC unroll 4
    for (size_t s = 0; s < kSums; ++s) step(s, k + s);
  }
  for (; k < units.inner; ++k) step(0, k);
#pragma GCC unroll 16
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t g = 0; g < kGates; ++g) {
      V total = sum[0][r][g];
#pragma GCC unroll 4
      for (size_t s = 1; s < kSums; ++s) total = hn::Add(total, sum[s][r][g]);
      hn::Store(total, d, to + (r * kGates + g) * lanes);
    }
  }
}

using SumsOf = void (*)(const Units&, size_t, float*);
struct SizedSums {
  size_t rows = 0;
  SumsOf work = nullptr;
};
template <size_t kGates, size_t... kRows>
SizedSums highest(size_t rows, std::index_sequence<kRows...>) {
  SizedSums found;
  ((found.work == nullptr && kRows <= rows ? void(found = {kRows, sums_of<kGates, kRows>}) : void()), ...);
  return found;
}
// The highest tile of not more than `rows`, whose sums, a row of the weight and one number fit the registers.
template <size_t kGates>
SizedSums sums_for(size_t rows) {
  using std::index_sequence;
  if constexpr (kManyRegisters) {
    if constexpr (kGates == 4) return highest<4>(rows, index_sequence<6, 4, 2, 1>());
    if constexpr (kGates == 3) return highest<3>(rows, index_sequence<8, 4, 2, 1>());
    return highest<kGates>(rows, index_sequence<12, 8, 4, 2, 1>());
  } else {
    if constexpr (kGates == 4) return highest<4>(rows, index_sequence<2, 1>());
    if constexpr (kGates == 3) return highest<3>(rows, index_sequence<4, 2, 1>());
    return highest<kGates>(rows, index_sequence<8, 4, 2, 1>());
  }
}

// What gates make of one row's sums. kUsual: sigmoid and tanh; kWhole: all the vector's units; the compiler then knows.
template <CellKind kCell, bool kUsual, bool kWhole>
class Gates {
 public:
  static constexpr size_t kCount = kCell == CellKind::Lstm ? 4 : kCell == CellKind::Gru ? 3 : 1;
  static constexpr size_t kKept = kCell == CellKind::Lstm ? 5 : kCell == CellKind::Gru ? 4 : 1;

  HWY_INLINE Gates(const Units& units, size_t row, float* sums)
      : walk_(units.walk), hidden_(walk_.hidden), width_(units.width), sums_(sums) {
    const size_t at = row * walk_.steps + units.place, state = row * units.row_size + units.first;
    const bool is_last = units.place == (walk_.op.reverse ? 0 : walk_.steps - 1);
    a_ = walk_.a + at * kCount * hidden_ + units.first;
    a_next_ = is_last ? a_ : walk_.op.reverse ? a_ - kCount * hidden_ : a_ + kCount * hidden_;
    shown_ = walk_.shown ? walk_.shown + at * hidden_ + units.first : nullptr;
    kept_ = walk_.kept ? walk_.kept + at * kKept * hidden_ + units.first : nullptr;
    before_ = units.before + state, after_ = units.after + state, c_ = units.c + state;
  }

  // What does not wait for another of the row's functions; the sums are overwritten. A function takes some sixty cycles
  // and rows wait for each other in none, so all rows of a tile go before the first is finished.
  HWY_INLINE void begin() const {
    const D d;
    const Kind f = kUsual ? Kind::Sigmoid : walk_.op.recurrent_activation.kind;
    const Kind g = kUsual ? Kind::Tanh : walk_.op.activation.kind;
    if constexpr (kCell == CellKind::Lstm) {
      const V in = value_of(f, d, hn::Add(a(0), s(0))), forget = value_of(f, d, hn::Add(a(1), s(1)));
      const V update = value_of(g, d, hn::Add(a(2), s(2))), out = value_of(f, d, hn::Add(a(3), s(3)));
      const V cell = hn::MulAdd(in, update, hn::Mul(forget, hn::Load(d, c_)));
      hn::Store(cell, d, c_);
      set_s(3, out);
      keep({in, forget, update, out, cell});
    } else if constexpr (kCell == CellKind::Gru) {
      set_s(0, value_of(f, d, hn::Add(a(0), s(0))));
      set_s(1, value_of(f, d, hn::Add(a(1), s(1))));
    }
  }

  HWY_INLINE void finish() const {
    const D d;
    const Kind g = kUsual ? Kind::Tanh : walk_.op.activation.kind;
    V h;
    if constexpr (kCell == CellKind::Lstm) {
      h = hn::Mul(s(3), value_of(g, d, hn::Load(d, c_)));
    } else if constexpr (kCell == CellKind::Gru) {
      const V reset = s(0), stay = s(1), now = value_of(g, d, hn::MulAdd(reset, s(2), a(2)));
      h = hn::MulAdd(stay, hn::Sub(hn::Load(d, before_), now), now);
      keep({reset, stay, now, s(2)});
    } else {
      h = value_of(g, d, hn::Add(a(0), s(0)));
      keep({h});
    }
    hn::Store(h, d, after_);
    if (shown_) store(h, shown_);
  }

  // A step that is masked: the state stays.
  void pass(bool repeats) const {
    const D d;
    const V h = hn::Load(d, before_);
    hn::Store(h, d, after_);
    if (shown_) store(repeats ? h : hn::Zero(d), shown_);
    V none[kKept];
    for (V& each : none) each = hn::Zero(d);
    keep(none);
  }

 private:
  // The next step's is asked for already: it lies too far off for the machine to guess.
  HWY_INLINE V a(size_t gate) const {
    hwy::Prefetch(a_next_ + gate * hidden_);
    return kWhole ? hn::LoadU(D(), a_ + gate * hidden_) : load_some(D(), a_ + gate * hidden_, width_);
  }
  HWY_INLINE V s(size_t gate) const { return hn::Load(D(), sums_ + gate * hn::Lanes(D())); }
  HWY_INLINE void store(V v, float* to) const { kWhole ? hn::StoreU(v, D(), to) : store_some(v, D(), to, width_); }
  HWY_INLINE void set_s(size_t gate, V v) const { hn::Store(v, D(), sums_ + gate * hn::Lanes(D())); }
  HWY_INLINE void keep(const V (&blocks)[kKept]) const {
    if (!kept_) return;
#pragma GCC unroll 5
    for (size_t k = 0; k < kKept; ++k) store(blocks[k], kept_ + k * hidden_);
  }

  const StepsWalk& walk_;
  size_t hidden_, width_;
  const float *a_, *a_next_, *before_;
  float *sums_, *after_, *c_, *shown_, *kept_;
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

// One step of some units, for all rows. `first`: the first real step of each row, where there is a mask; `i`: this one.
template <class Work>
void walk_units(const Units& units, const size_t* first, size_t i, float* sums) {
  const StepsWalk& walk = units.walk;
  const size_t lanes = hn::Lanes(D());
  for (size_t row = 0; row < walk.rows;) {
    const SizedSums tile = sums_for<Work::kCount>(walk.rows - row);
    tile.work(units, row, sums);
    const auto gates = [&](size_t r) HWY_ATTR { return Work(units, row + r, sums + r * Work::kCount * lanes); };
    const auto real = [&](size_t r) { return !walk.mask || walk.mask[(row + r) * walk.steps + units.place]; };
    for (size_t r = 0; r < tile.rows; ++r) {
      real(r) ? gates(r).begin() : gates(r).pass(walk.op.repeat_masked && first[row + r] < i);
    }
    for (size_t r = 0; r < tile.rows; ++r) {
      if (real(r)) gates(r).finish();
    }
    row += tile.rows;
  }
}

template <CellKind kCell, bool kUsual>
void walk_all(const StepsWalk& walk, float* scratch) {
  using Whole = Gates<kCell, kUsual, true>;
  const size_t lanes = hn::Lanes(D()), hidden = walk.hidden, row_size = padded(hidden), states = walk.rows * row_size;
  float *before = scratch, *after = scratch + states, *c = after + states, *sums = c + states;
  load_states(walk.h0, walk.rows, hidden, row_size, before);
  load_states(walk.c0, walk.rows, hidden, row_size, c);
  std::array<size_t, kRowsTogether> first{};
  for (size_t row = 0; walk.mask && row < walk.rows; ++row) first[row] = first_real(walk, row);
  for (size_t i = 0; i < walk.steps; ++i) {
    Units units{.walk = walk, .place = walk.op.reverse ? walk.steps - 1 - i : i, .row_size = row_size};
    units.before = before, units.after = after, units.c = c, units.panel = walk.weight;
    units.inner = i > 0 || walk.h0 ? hidden : 0;
    for (; units.first < hidden; units.first += lanes) {
      units.width = std::min(lanes, hidden - units.first);
      const auto work = units.width == lanes ? walk_units<Whole> : walk_units<Gates<kCell, kUsual, false>>;
      work(units, first.data(), i, sums);
      units.panel += hidden * Whole::kCount * lanes;
    }
    std::swap(before, after);
  }
  store_states(before, walk.rows, hidden, row_size, walk.h);
  if (kCell == CellKind::Lstm) store_states(c, walk.rows, hidden, row_size, walk.c);
}

template <CellKind kCell>
void walk_cell(const StepsWalk& walk, float* scratch) {
  const bool usual = walk.op.activation.kind == Kind::Tanh && walk.op.recurrent_activation.kind == Kind::Sigmoid;
  usual ? walk_all<kCell, true>(walk, scratch) : walk_all<kCell, false>(walk, scratch);
}

void walk(const StepsWalk& walk, float* scratch) {
  switch (walk.op.cell) {
    case CellKind::Lstm:
      return walk_cell<CellKind::Lstm>(walk, scratch);
    case CellKind::Gru:
      return walk_cell<CellKind::Gru>(walk, scratch);
    case CellKind::SimpleRnn:
      return walk_cell<CellKind::SimpleRnn>(walk, scratch);
  }
}

size_t scratch_of(size_t rows, size_t hidden) {
  return 3 * rows * padded(hidden) + kMostGates * kHighest * hn::Lanes(D());
}

size_t size_packed(size_t gates, size_t hidden) { return hidden * gates * padded(hidden); }

void pack(const float* weight, size_t gates, size_t hidden, float* to) {
  const size_t lanes = hn::Lanes(D());
  for (size_t first = 0; first < hidden; first += lanes) {
    const size_t width = std::min(lanes, hidden - first);
    for (size_t k = 0; k < hidden; ++k) {
      for (size_t g = 0; g < gates; ++g, to += lanes) {
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
  const bool is_gru_before = op.cell == ops::CellKind::Gru && !op.reset_after;
  return !is_gru_before && ops::slope_follows_from_value(op.activation.kind) &&
         (op.cell == ops::CellKind::SimpleRnn || ops::slope_follows_from_value(op.recurrent_activation.kind));
}
size_t packed_gates_size(size_t gates, size_t hidden) { return HWY_DYNAMIC_DISPATCH(size_packed)(gates, hidden); }
void pack_gates(const float* weight, size_t gates, size_t hidden, float* to) {
  HWY_DYNAMIC_DISPATCH(pack)(weight, gates, hidden, to);
}
void walk_steps(const StepsWalk& steps, float* scratch) { HWY_DYNAMIC_DISPATCH(walk)(steps, scratch); }
size_t steps_scratch(size_t rows, size_t hidden) { return HWY_DYNAMIC_DISPATCH(scratch_of)(rows, hidden); }
}  // namespace causeway::engine::cpu
#endif
