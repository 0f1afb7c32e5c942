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

enum class Form { Lstm, Gru, GruResetsBefore, SimpleRnn };

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
  float* factor = nullptr;
  // What the step that is walked next reads and writes, its state before (an lstm's c) among it, is asked for already: it
  // lies too far off for the machine to guess. The first step has itself here.
  const float *kept_next = nullptr, *dsteps_next = nullptr, *da_next = nullptr, *before_next = nullptr;
};

void add_to(const float* from, size_t count, float* to) {
  for (size_t i = 0; i < count; ++i) to[i] += from[i];
}

void load_states(const float* from, size_t count, float* to) {
  from ? void(std::copy_n(from, count, to)) : void(std::fill_n(to, count, 0.0f));
}

template <Form kForm, bool kUsual>
class WayBack {
 public:
  WayBack(const StepsBack& walk, float* scratch)
      : walk_(walk),
        hidden_(walk.hidden),
        gates_(static_cast<size_t>(walk.op.gates())),
        blocks_(static_cast<size_t>(walk.op.kept_blocks())),
        states_(walk.rows * hidden_),
        dh_(scratch),
        dc_(dh_ + states_),
        waiting_(dc_ + states_),
        ds_(waiting_ + states_) {
    load_states(walk.dh, states_, dh_);
    load_states(walk.dc, states_, dc_);
    std::fill_n(waiting_, states_, 0.0f);
  }

  void run() const {
    for (size_t i = walk_.steps; i-- > 0;) {
      for (size_t row = 0; row < walk_.rows; ++row) is_real(row, i) ? step(place(row, i)) : pass(row, i);
      if constexpr (kForm == Form::GruResetsBefore) {
        multiply(2, 1, false, dc_);
        for (size_t row = 0; row < walk_.rows; ++row) {
          if (is_real(row, i)) reset(place(row, i));
        }
      }
      if (i == 0 && !walk_.dh0) break;
      multiply(0, kForm == Form::GruResetsBefore ? 2 : gates_, true, dh_);
    }
    if (walk_.dh0) std::copy_n(dh_, states_, walk_.dh0);
    if (walk_.dc0) std::copy_n(dc_, states_, walk_.dc0);
  }

 private:
  size_t place_of(size_t row, size_t i) const {
    return row * walk_.steps + (walk_.op.reverse ? walk_.steps - 1 - i : i);
  }
  bool is_real(size_t row, size_t i) const { return !walk_.mask || walk_.mask[place_of(row, i)]; }
  bool waits() const { return walk_.mask && walk_.op.repeat_masked; }

  Place place(size_t row, size_t i) const {
    const size_t here = place_of(row, i), next = i > 0 ? place_of(row, i - 1) : here;
    const size_t behind = i > 1 ? place_of(row, i - 2) : next;
    Place at{.kept = walk_.kept + here * blocks_ * hidden_};
    if (walk_.dsteps) at.dsteps = walk_.dsteps + here * hidden_, at.dsteps_next = walk_.dsteps + next * hidden_;
    at.kept_next = walk_.kept + next * blocks_ * hidden_, at.da_next = walk_.da + next * gates_ * hidden_;
    at.before_next =
        kForm == Form::Lstm ? walk_.kept + (behind * blocks_ + blocks_ - 1) * hidden_ : walk_.shown + behind * hidden_;
    size_t before = i;
    while (before > 0 && !is_real(row, before - 1)) --before;
    if (before > 0) {
      const size_t earlier = place_of(row, before - 1);
      at.h = walk_.shown + earlier * hidden_;
      at.c = walk_.kept + (earlier * blocks_ + blocks_ - 1) * hidden_;
    } else {
      at.h = walk_.h0 ? walk_.h0 + row * hidden_ : nullptr;
      at.c = walk_.c0 ? walk_.c0 + row * hidden_ : nullptr;
    }
    if (waits()) at.waiting = waiting_ + row * hidden_;
    at.dh = dh_ + row * hidden_, at.dc = dc_ + row * hidden_, at.ds = ds_ + row * gates_ * hidden_;
    at.da = walk_.da + here * gates_ * hidden_, at.dn = walk_.dn ? walk_.dn + here * hidden_ : nullptr;
    if (walk_.factor) at.factor = walk_.factor + here * hidden_;
    return at;
  }

  // A masked step.
  void pass(size_t row, size_t i) const {
    const size_t here = place_of(row, i);
    if (waits() && walk_.dsteps) add_to(walk_.dsteps + here * hidden_, hidden_, waiting_ + row * hidden_);
    std::fill_n(ds_ + row * gates_ * hidden_, gates_ * hidden_, 0.0f);
    std::fill_n(walk_.da + here * gates_ * hidden_, gates_ * hidden_, 0.0f);
    if (walk_.dn) std::fill_n(walk_.dn + here * hidden_, hidden_, 0.0f);
    if (walk_.factor) std::fill_n(walk_.factor + here * hidden_, hidden_, 0.0f);
  }

  // What leaves of the sums of these gates, through the weight.
  void multiply(size_t first_gate, size_t gates, bool adds, float* to) const {
    Gemm product{.rows = walk_.rows, .inner = gates * hidden_, .columns = hidden_, .adds = adds};
    product.a = ds_ + first_gate * hidden_, product.a_row = gates_ * hidden_;
    product.b = walk_.weight, product.b_packed = true;
    product.packed_first = first_gate * hidden_, product.packed_rows = gates_ * hidden_;
    product.y = to, product.y_row = hidden_;
    gemm(product, nullptr);
  }

  HWY_INLINE Sloped f(V kept) const {
    return kUsual ? sloped(Kind::Sigmoid, kept) : sloped(walk_.op.recurrent_activation, kept);
  }
  HWY_INLINE Sloped g(V kept) const { return kUsual ? sloped(Kind::Tanh, kept) : sloped(walk_.op.activation, kept); }
  HWY_INLINE Sloped g_at(V x) const { return kUsual ? sloped_at(Kind::Tanh, x) : sloped_at(walk_.op.activation, x); }

  void step(const Place& at) const {
    const D d;
    const size_t lanes = hn::Lanes(d), hidden = hidden_;
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
      if (kForm != Form::SimpleRnn) hwy::Prefetch(at.before_next + j);
      if (at.waiting) {
        arrived = hn::Add(arrived, load_up_to(d, at.waiting + j, width));
        store_up_to(zero, d, at.waiting + j, width);
      }
      if constexpr (kForm == Form::Lstm) {
        const Sloped in = f(kept(0)), forget = f(kept(1)), update = g(kept(2)), out = f(kept(3)), shown = g_at(kept(4));
        const V c = at.c ? load_up_to(d, at.c + j, width) : zero;
        const V cell = hn::MulAdd(hn::Mul(arrived, out.value), shown.slope, load_up_to(d, at.dc + j, width));
        leave(0, hn::Mul(cell, update.value), in.slope);
        leave(1, hn::Mul(cell, c), forget.slope);
        leave(2, hn::Mul(cell, in.value), update.slope);
        leave(3, hn::Mul(arrived, shown.value), out.slope);
        store_up_to(hn::Mul(cell, forget.value), d, at.dc + j, width);
        store_up_to(zero, d, at.dh + j, width);
      } else if constexpr (kForm == Form::SimpleRnn) {
        leave(0, arrived, g(kept(0)).slope);
        store_up_to(zero, d, at.dh + j, width);
      } else {
        const Sloped stay = f(kept(1)), now = g(kept(2));
        const V h = at.h ? load_up_to(d, at.h + j, width) : zero;
        leave(1, hn::Mul(arrived, hn::Sub(h, now.value)), stay.slope);
        const V dn = leave(2, hn::Mul(arrived, hn::Sub(one, stay.value)), now.slope);
        store_up_to(hn::Mul(arrived, stay.value), d, at.dh + j, width);
        if constexpr (kForm == Form::Gru) {
          const Sloped reset = f(kept(0));
          leave(0, hn::Mul(dn, kept(3)), reset.slope);
          const V reached = hn::Mul(dn, reset.value);
          store_up_to(reached, d, at.ds + 2 * hidden + j, width);
          store_up_to(reached, d, at.dn + j, width);
        } else {
          hwy::Prefetch(at.kept_next + j);
          hwy::Prefetch(at.da_next + j);
        }
      }
    }
  }

  // The reset gate before a product, once it is known what arrives there (in dc, which a gru has no other use for).
  void reset(const Place& at) const {
    const D d;
    const size_t lanes = hn::Lanes(d);
    for (size_t j = 0; j < hidden_; j += lanes) {
      const size_t width = std::min(lanes, hidden_ - j);
      const Sloped reset = f(load_up_to(d, at.kept + j, width));
      const V arrived = load_up_to(d, at.dc + j, width), h = at.h ? load_up_to(d, at.h + j, width) : hn::Zero(d);
      const V leaves = hn::Mul(hn::Mul(arrived, h), reset.slope);
      store_up_to(leaves, d, at.ds + j, width);
      store_up_to(leaves, d, at.da + j, width);
      store_up_to(hn::Mul(reset.value, h), d, at.factor + j, width);
      store_up_to(hn::MulAdd(arrived, reset.value, load_up_to(d, at.dh + j, width)), d, at.dh + j, width);
    }
  }

  const StepsBack& walk_;
  size_t hidden_, gates_, blocks_, states_;
  float *dh_, *dc_, *waiting_, *ds_;
};

template <Form kForm>
void back_by(const StepsBack& walk, float* scratch) {
  const bool usual = walk.op.activation.kind == Kind::Tanh && walk.op.recurrent_activation.kind == Kind::Sigmoid;
  usual ? WayBack<kForm, true>(walk, scratch).run() : WayBack<kForm, false>(walk, scratch).run();
}

void back(const StepsBack& walk, float* scratch) {
  switch (walk.op.cell) {
    case CellKind::Lstm:
      return back_by<Form::Lstm>(walk, scratch);
    case CellKind::Gru:
      return walk.op.reset_after ? back_by<Form::Gru>(walk, scratch) : back_by<Form::GruResetsBefore>(walk, scratch);
    case CellKind::SimpleRnn:
      return back_by<Form::SimpleRnn>(walk, scratch);
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
