// Recurrent layers step by step backwards.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/recurrent_back.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>

#include "causeway/engine/cpu/cells-inl.h"
#include "causeway/engine/cpu/gemm.h"
#include "causeway/engine/cpu/recurrent_steps.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

using ops::CellKind;

// One real step of one row: what arrives of the state after it leaves of its sums (ds) and of the state before it, but
// for what goes through the weight.
struct Place {
  const float* kept = nullptr;
  const float* dsteps = nullptr;
  const float* h = nullptr;  // before the step; null: noughts
  const float* c = nullptr;
  float* waiting = nullptr;  // what arrived at steps that repeat this one's
  float* dh = nullptr;
  float* dc = nullptr;
  float* ds = nullptr;
  float* da = nullptr;
  float* dn = nullptr;
  // The step that is walked next, its kept numbers, its dsteps, its da and its state before (an lstm's c), are asked for
  // already: they lie too far off for the machine to guess. The first step has itself here.
  const float *kept_next = nullptr, *dsteps_next = nullptr, *da_next = nullptr, *before_next = nullptr;
};

template <CellKind kCell, bool kUsual>
void step_back(const StepsBack& walk, const Place& at) {
  const D d;
  const size_t lanes = hn::Lanes(d), hidden = walk.hidden;
  const Kind f = kUsual ? Kind::Sigmoid : walk.op.recurrent_activation.kind;
  const Kind g = kUsual ? Kind::Tanh : walk.op.activation.kind;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  for (size_t j = 0; j < hidden; j += lanes) {
    const size_t width = std::min(lanes, hidden - j);
    const auto kept = [&](size_t block) HWY_ATTR {
      hwy::Prefetch(at.kept_next + block * hidden + j);
      return load_up_to(d, at.kept + block * hidden + j, width);
    };
    const auto leave = [&](size_t block, V arrived, V slope) HWY_ATTR {
      hwy::Prefetch(at.da_next + block * hidden + j);
      const V leaves = hn::Mul(arrived, slope);
      store_up_to(leaves, d, at.ds + block * hidden + j, width);
      store_up_to(leaves, d, at.da + block * hidden + j, width);
      return leaves;
    };
    V arrived = load_up_to(d, at.dh + j, width);
    if (at.dsteps) {
      hwy::Prefetch(at.dsteps_next + j);
      arrived = hn::Add(arrived, load_up_to(d, at.dsteps + j, width));
    }
    if (kCell != CellKind::SimpleRnn) hwy::Prefetch(at.before_next + j);
    if (at.waiting) {
      arrived = hn::Add(arrived, load_up_to(d, at.waiting + j, width));
      store_up_to(zero, d, at.waiting + j, width);
    }
    if constexpr (kCell == CellKind::Lstm) {
      const V in = kept(0), forget = kept(1), update = kept(2), out = kept(3), value = value_of(g, d, kept(4));
      const V c = at.c ? load_up_to(d, at.c + j, width) : zero;
      const V cell = hn::MulAdd(hn::Mul(arrived, out), slope_at(g, d, value), load_up_to(d, at.dc + j, width));
      leave(0, hn::Mul(cell, update), slope_at(f, d, in));
      leave(1, hn::Mul(cell, c), slope_at(f, d, forget));
      leave(2, hn::Mul(cell, in), slope_at(g, d, update));
      leave(3, hn::Mul(arrived, value), slope_at(f, d, out));
      store_up_to(hn::Mul(cell, forget), d, at.dc + j, width);
      store_up_to(zero, d, at.dh + j, width);
    } else if constexpr (kCell == CellKind::Gru) {
      const V reset = kept(0), stay = kept(1), now = kept(2);
      const V h = at.h ? load_up_to(d, at.h + j, width) : zero;
      leave(1, hn::Mul(arrived, hn::Sub(h, now)), slope_at(f, d, stay));
      const V dn = leave(2, hn::Mul(arrived, hn::Sub(one, stay)), slope_at(g, d, now));
      leave(0, hn::Mul(dn, kept(3)), slope_at(f, d, reset));
      const V reached = hn::Mul(dn, reset);
      store_up_to(reached, d, at.ds + 2 * hidden + j, width);
      store_up_to(reached, d, at.dn + j, width);
      store_up_to(hn::Mul(arrived, stay), d, at.dh + j, width);
    } else {
      leave(0, arrived, slope_at(g, d, kept(0)));
      store_up_to(zero, d, at.dh + j, width);
    }
  }
}

void add_to(const float* from, size_t count, float* to) {
  for (size_t i = 0; i < count; ++i) to[i] += from[i];
}

void load_states(const float* from, size_t count, float* to) {
  from ? void(std::copy_n(from, count, to)) : void(std::fill_n(to, count, 0.0f));
}

template <CellKind kCell, bool kUsual>
void back_all(const StepsBack& walk, float* scratch) {
  const size_t hidden = walk.hidden, states = walk.rows * hidden;
  const auto gates = static_cast<size_t>(walk.op.gates()), blocks = static_cast<size_t>(walk.op.kept_blocks());
  float *dh = scratch, *dc = dh + states, *waiting = dc + states, *ds = waiting + states;
  const bool waits = walk.mask && walk.op.repeat_masked;
  load_states(walk.dh, states, dh);
  load_states(walk.dc, states, dc);
  std::fill_n(waiting, states, 0.0f);
  const auto place_of = [&](size_t row, size_t i) {
    return row * walk.steps + (walk.op.reverse ? walk.steps - 1 - i : i);
  };
  for (size_t i = walk.steps; i-- > 0;) {
    for (size_t row = 0; row < walk.rows; ++row) {
      const size_t place = place_of(row, i);
      const float* dsteps = walk.dsteps ? walk.dsteps + place * hidden : nullptr;
      float *da = walk.da + place * gates * hidden, *dn = walk.dn ? walk.dn + place * hidden : nullptr;
      if (walk.mask && !walk.mask[place]) {
        if (waits && dsteps) add_to(dsteps, hidden, waiting + row * hidden);
        std::fill_n(ds + row * gates * hidden, gates * hidden, 0.0f);
        std::fill_n(da, gates * hidden, 0.0f);
        if (dn) std::fill_n(dn, hidden, 0.0f);
        continue;
      }
      size_t before = i;
      while (before > 0 && walk.mask && !walk.mask[place_of(row, before - 1)]) --before;
      Place at{.kept = walk.kept + place * blocks * hidden, .dsteps = dsteps};
      const size_t next = i > 0 ? place_of(row, i - 1) : place, behind = i > 1 ? place_of(row, i - 2) : next;
      at.kept_next = walk.kept + next * blocks * hidden, at.da_next = walk.da + next * gates * hidden;
      if (dsteps) at.dsteps_next = walk.dsteps + next * hidden;
      at.before_next =
          kCell == CellKind::Lstm ? walk.kept + (behind * blocks + blocks - 1) * hidden : walk.shown + behind * hidden;
      if (before > 0) {
        const size_t earlier = place_of(row, before - 1);
        at.h = walk.shown + earlier * hidden;
        at.c = walk.kept + (earlier * blocks + blocks - 1) * hidden;
      } else {
        at.h = walk.h0 ? walk.h0 + row * hidden : nullptr;
        at.c = walk.c0 ? walk.c0 + row * hidden : nullptr;
      }
      if (waits) at.waiting = waiting + row * hidden;
      at.dh = dh + row * hidden, at.dc = dc + row * hidden, at.ds = ds + row * gates * hidden;
      at.da = da, at.dn = dn;
      step_back<kCell, kUsual>(walk, at);
    }
    if (i == 0 && !walk.dh0) break;
    gemm({.rows = walk.rows,
          .inner = gates * hidden,
          .columns = hidden,
          .a = ds,
          .a_row = gates * hidden,
          .b = walk.weight,
          .b_packed = true,
          .adds = true,
          .y = dh,
          .y_row = hidden},
         nullptr);
  }
  if (walk.dh0) std::copy_n(dh, states, walk.dh0);
  if (walk.dc0) std::copy_n(dc, states, walk.dc0);
}

template <CellKind kCell>
void back_cell(const StepsBack& walk, float* scratch) {
  const bool usual = walk.op.activation.kind == Kind::Tanh && walk.op.recurrent_activation.kind == Kind::Sigmoid;
  usual ? back_all<kCell, true>(walk, scratch) : back_all<kCell, false>(walk, scratch);
}

void back(const StepsBack& walk, float* scratch) {
  switch (walk.op.cell) {
    case CellKind::Lstm:
      return back_cell<CellKind::Lstm>(walk, scratch);
    case CellKind::Gru:
      return back_cell<CellKind::Gru>(walk, scratch);
    case CellKind::SimpleRnn:
      return back_cell<CellKind::SimpleRnn>(walk, scratch);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(back);
void walk_back(const StepsBack& steps, float* scratch) { HWY_DYNAMIC_DISPATCH(back)(steps, scratch); }
size_t back_scratch(const ops::Recurrent& op, size_t rows, size_t hidden) {
  return rows * hidden * (3 + static_cast<size_t>(op.gates()));
}
}  // namespace causeway::engine::cpu
#endif
