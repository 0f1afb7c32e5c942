#include <algorithm>
#include <vector>

#include "causeway/reference/cell_function.h"
#include "causeway/reference/kernels.h"
#include "causeway/reference/number.h"

// One series at a time, one step at a time, a state kept in double from step to step. The gradient works from what the
// forward walk kept, as every engine's does.

namespace causeway::reference {
namespace {

using ops::CellFunction, ops::CellKind, ops::Recurrent;

/// Lengths of a recurrent op, and where its numbers lie.
struct Walked {
  const Recurrent& op;
  int64_t batch, steps, hidden, gates, kept;

  Walked(const Recurrent& op, const TensorView& series, int64_t hidden)
      : op(op),
        batch(series.lengths[0]),
        steps(series.lengths[1]),
        hidden(hidden),
        gates(op.gates() * hidden),
        kept(op.kept_blocks() * hidden) {}

  /// The i-th step walked.
  int64_t step(int64_t i) const { return op.reverse ? steps - 1 - i : i; }
  bool is_gru_before() const { return op.cell == CellKind::Gru && !op.reset_after; }
  /// How many columns of the weight read the state as it is: all, but for a gru that resets before the product.
  int64_t plain() const { return is_gru_before() ? 2 * hidden : gates; }
};

/// An operand; null where it is absent.
template <class T>
const T* operand(Views inputs, size_t i) {
  return i < inputs.size() ? read<T>(inputs[i]) : nullptr;
}

/// Row n of an operand whose rows have that width; zeros where it is absent.
template <class T>
void load_row(const T* from, int64_t n, std::vector<double>& to) {
  const auto width = static_cast<int64_t>(to.size());
  for (int64_t j = 0; j < width; ++j) to[static_cast<size_t>(j)] = from ? wide(from[n * width + j]) : 0;
}
template <class T>
void store_row(const std::vector<double>& from, int64_t n, T* to) {
  const auto width = static_cast<int64_t>(from.size());
  for (int64_t j = 0; j < width; ++j) to[n * width + j] = narrow<T>(from[static_cast<size_t>(j)]);
}

/// A function's value at x, with what is kept of it.
struct Made {
  double value, kept;
};
Made made(const CellFunction& function, double x) {
  const double value = value_of(function, x);
  return {value, slope_follows_from_value(function.kind) ? value : x};
}

/// One step of one series: a[G·H] and the state become the state after it, and what is kept.
class Step {
 public:
  explicit Step(const Walked& walked)
      : walked_(walked), reset_(static_cast<size_t>(walked.hidden)), sums_(static_cast<size_t>(walked.gates)) {}

  template <class T>
  void walk(const T* a, const T* weight, const T* bias, std::vector<double>& h, std::vector<double>& c, T* kept) {
    const int64_t hidden = walked_.hidden;
    add_products(h, weight, bias, 0, walked_.plain());
    const auto a_of = [&](int64_t block, int64_t j) { return wide(a[block * hidden + j]); };
    const auto s_of = [&](int64_t block, int64_t j) { return sums_[static_cast<size_t>(block * hidden + j)]; };
    const auto gate = [&](int64_t block, int64_t j, const CellFunction& function, double s) {
      const Made one = made(function, a_of(block, j) + s);
      kept[block * hidden + j] = narrow<T>(one.kept);
      return one.value;
    };
    const CellFunction &f = walked_.op.recurrent_activation, &g = walked_.op.activation;
    if (walked_.is_gru_before()) {
      for (int64_t j = 0; j < hidden; ++j) {
        reset_[static_cast<size_t>(j)] = gate(0, j, f, s_of(0, j)) * h[static_cast<size_t>(j)];
      }
      add_products(reset_, weight, bias, 2 * hidden, walked_.gates);
    }
    for (int64_t j = 0; j < hidden; ++j) {
      double& state = h[static_cast<size_t>(j)];
      if (walked_.op.cell == CellKind::SimpleRnn) {
        state = gate(0, j, g, s_of(0, j));
      } else if (walked_.op.cell == CellKind::Gru) {
        const double z = gate(1, j, f, s_of(1, j));
        const double r = walked_.is_gru_before() ? 1 : gate(0, j, f, s_of(0, j));
        const double n = gate(2, j, g, r * s_of(2, j));
        if (!walked_.is_gru_before()) kept[3 * hidden + j] = narrow<T>(s_of(2, j));
        state = (1 - z) * n + z * state;
      } else {
        double& cell = c[static_cast<size_t>(j)];
        const double i = gate(0, j, f, s_of(0, j)), forget = gate(1, j, f, s_of(1, j));
        const double u = gate(2, j, g, s_of(2, j)), o = gate(3, j, f, s_of(3, j));
        cell = forget * cell + i * u;
        kept[4 * hidden + j] = narrow<T>(cell);
        state = o * value_of(g, cell);
      }
    }
  }

 private:
  /// sums = bias + from·weight in columns begin … end - 1.
  template <class T>
  void add_products(const std::vector<double>& from, const T* weight, const T* bias, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) sums_[static_cast<size_t>(k)] = bias ? wide(bias[k]) : 0;
    for (int64_t j = 0; j < walked_.hidden; ++j) {
      for (int64_t k = begin; k < end; ++k) {
        sums_[static_cast<size_t>(k)] += from[static_cast<size_t>(j)] * wide(weight[j * walked_.gates + k]);
      }
    }
  }

  const Walked& walked_;
  std::vector<double> reset_, sums_;
};

/// Totals of all steps: of the weight and the bias.
struct WeightTotals {
  std::vector<double> weight, bias;
};

/// One step back of one series.
class StepBack {
 public:
  StepBack(const Walked& walked, WeightTotals& totals)
      : walked_(walked),
        totals_(totals),
        ds_(static_cast<size_t>(walked.gates)),
        dq_(static_cast<size_t>(walked.hidden)) {}

  /// dh and dc arrive of the state after the step and leave of the state before it, which is h and c.
  template <class T>
  void walk(const T* kept, const T* weight, const std::vector<double>& h, const std::vector<double>& c,
            std::vector<double>& dh, std::vector<double>& dc, T* da) {
    const int64_t hidden = walked_.hidden;
    const CellFunction &f = walked_.op.recurrent_activation, &g = walked_.op.activation;
    const auto kept_of = [&](int64_t block, int64_t j) { return wide(kept[block * hidden + j]); };
    const auto value = [&](int64_t block, int64_t j, const CellFunction& function) {
      const double x = kept_of(block, j);
      return slope_follows_from_value(function.kind) ? x : value_of(function, x);
    };
    // What arrives at a block's function leaves for its sum, and is da there.
    const auto leave = [&](int64_t block, int64_t j, const CellFunction& function, double d) {
      const double x = kept_of(block, j);
      const double slope =
          slope_follows_from_value(function.kind) ? slope_by_value(function, x) : slope_of(function, x);
      da[block * hidden + j] = narrow<T>(d * slope);
      return ds_[static_cast<size_t>(block * hidden + j)] = d * slope;
    };
    for (int64_t j = 0; j < hidden; ++j) {
      const auto at = static_cast<size_t>(j);
      double& d = dh[at];
      if (walked_.op.cell == CellKind::SimpleRnn) {
        leave(0, j, g, d);
        d = 0;
      } else if (walked_.op.cell == CellKind::Gru) {
        const double z = value(1, j, f), n = value(2, j, g);
        leave(1, j, f, d * (h[at] - n));
        const double dn = leave(2, j, g, d * (1 - z));
        if (!walked_.is_gru_before()) {
          leave(0, j, f, dn * kept_of(3, j));
          ds_[static_cast<size_t>(2 * hidden + j)] = dn * value(0, j, f);
        }
        d *= z;
      } else {
        const double i = value(0, j, f), forget = value(1, j, f), u = value(2, j, g), o = value(3, j, f);
        const double cell = kept_of(4, j);
        dc[at] += d * o * slope_of(g, cell);
        leave(3, j, f, d * value_of(g, cell));
        leave(0, j, f, dc[at] * u);
        leave(1, j, f, dc[at] * c[at]);
        leave(2, j, g, dc[at] * i);
        dc[at] *= forget;
        d = 0;
      }
    }
    if (walked_.is_gru_before()) {
      std::fill(dq_.begin(), dq_.end(), 0.0);
      add_transposed(weight, 2 * hidden, walked_.gates, dq_);
      for (int64_t j = 0; j < hidden; ++j) {
        const auto at = static_cast<size_t>(j);
        const double r = value(0, j, f);
        leave(0, j, f, dq_[at] * h[at]);
        dh[at] += dq_[at] * r;
        dq_[at] = r * h[at];
      }
      add_to_weight(dq_, 2 * hidden, walked_.gates);
    }
    add_transposed(weight, 0, walked_.plain(), dh);
    add_to_weight(h, 0, walked_.plain());
  }

 private:
  /// to += ds·weightᵀ over columns begin … end - 1.
  template <class T>
  void add_transposed(const T* weight, int64_t begin, int64_t end, std::vector<double>& to) const {
    for (int64_t j = 0; j < walked_.hidden; ++j) {
      for (int64_t k = begin; k < end; ++k) {
        to[static_cast<size_t>(j)] += ds_[static_cast<size_t>(k)] * wide(weight[j * walked_.gates + k]);
      }
    }
  }
  void add_to_weight(const std::vector<double>& from, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) totals_.bias[static_cast<size_t>(k)] += ds_[static_cast<size_t>(k)];
    for (int64_t j = 0; j < walked_.hidden; ++j) {
      for (int64_t k = begin; k < end; ++k) {
        totals_.weight[static_cast<size_t>(j * walked_.gates + k)] +=
            from[static_cast<size_t>(j)] * ds_[static_cast<size_t>(k)];
      }
    }
  }

  const Walked& walked_;
  WeightTotals& totals_;
  std::vector<double> ds_, dq_;
};

}  // namespace

void recurrent(const Recurrent& op, Views inputs, Views outputs) {
  const Walked walked(op, inputs[0], outputs[1].lengths[1]);
  const bool* mask = operand<bool>(inputs, 4);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *a = operand<T>(inputs, 0), *weight = operand<T>(inputs, 1), *bias = operand<T>(inputs, 2);
    T *steps = write<T>(outputs[0]), *kept = write<T>(outputs[2]);
    std::fill_n(kept, outputs[2].size(), narrow<T>(0));
    std::vector<double> h(static_cast<size_t>(walked.hidden)), c(h.size());
    Step step(walked);
    for (int64_t n = 0; n < walked.batch; ++n) {
      load_row(operand<T>(inputs, 3), n, h);
      load_row(operand<T>(inputs, 5), n, c);
      bool any_real = false;
      for (int64_t i = 0; i < walked.steps; ++i) {
        const int64_t at = n * walked.steps + walked.step(i);
        const bool is_real = !mask || mask[at];
        if (is_real) step.walk(a + at * walked.gates, weight, bias, h, c, kept + at * walked.kept);
        any_real = any_real || is_real;
        if (is_real || (op.repeat_masked && any_real)) {
          store_row(h, at, steps);
        } else {
          std::fill_n(steps + at * walked.hidden, walked.hidden, narrow<T>(0));
        }
      }
      store_row(h, n, write<T>(outputs[1]));
      if (op.cell == CellKind::Lstm) store_row(c, n, write<T>(outputs[3]));
    }
  });
}

void recurrent_gradient(const ops::RecurrentGradient& op, Views inputs, Views outputs) {
  const bool is_lstm = op.of.cell == CellKind::Lstm;
  const Walked walked(op.of, inputs[3], outputs[3].lengths[1]);
  const bool* mask = operand<bool>(inputs, 6);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *dsteps = operand<T>(inputs, 0), *kept = operand<T>(inputs, 2), *steps = operand<T>(inputs, 3);
    const T* weight = operand<T>(inputs, 4);
    T* da = write<T>(outputs[0]);
    std::fill_n(da, outputs[0].size(), narrow<T>(0));
    WeightTotals totals;
    totals.weight.resize(static_cast<size_t>(outputs[1].size()));
    totals.bias.resize(static_cast<size_t>(outputs[2].size()));
    std::vector<double> h(static_cast<size_t>(walked.hidden)), c(h.size()), dh(h.size()), dc(h.size()), shown(h.size());
    StepBack back(walked, totals);
    for (int64_t n = 0; n < walked.batch; ++n) {
      load_row(operand<T>(inputs, 1), n, dh);
      load_row(operand<T>(inputs, 8), n, dc);
      // What arrives at masked steps that repeat an output waits for the real step that made it.
      std::fill(shown.begin(), shown.end(), 0.0);
      const auto is_real = [&](int64_t i) { return !mask || mask[n * walked.steps + walked.step(i)]; };
      for (int64_t i = walked.steps - 1; i >= 0; --i) {
        const int64_t at = n * walked.steps + walked.step(i);
        for (int64_t j = 0; dsteps && (is_real(i) || op.of.repeat_masked) && j < walked.hidden; ++j) {
          shown[static_cast<size_t>(j)] += wide(dsteps[at * walked.hidden + j]);
        }
        if (!is_real(i)) continue;
        for (size_t j = 0; j < dh.size(); ++j) dh[j] += shown[j];
        std::fill(shown.begin(), shown.end(), 0.0);
        int64_t before = i - 1;
        while (before >= 0 && !is_real(before)) --before;
        if (before >= 0) {
          const int64_t place = n * walked.steps + walked.step(before);
          load_row(steps, place, h);
          for (int64_t j = 0; is_lstm && j < walked.hidden; ++j) {
            c[static_cast<size_t>(j)] = wide(kept[place * walked.kept + 4 * walked.hidden + j]);
          }
        } else {
          load_row(operand<T>(inputs, 5), n, h);
          load_row(operand<T>(inputs, 7), n, c);
        }
        back.walk(kept + at * walked.kept, weight, h, c, dh, dc, da + at * walked.gates);
      }
      store_row(dh, n, write<T>(outputs[3]));
      if (is_lstm) store_row(dc, n, write<T>(outputs[4]));
    }
    store_row(totals.weight, 0, write<T>(outputs[1]));
    store_row(totals.bias, 0, write<T>(outputs[2]));
  });
}

}  // namespace causeway::reference
