#include <functional>

#include "causeway/formats/onnx/nodes/recurrence.h"
#include "causeway/ops/build.h"

// Recurrent nodes that no op of a network computes, step by step: with a clip, peepholes or a coupled forget gate, or
// with a function of its own for an LSTM's state.

namespace causeway::formats::onnx {
namespace {

Value kept(const Value& goes_on, const Value& now, const Value& before) {
  return goes_on ? ops::where(goes_on, now, before) : now;
}
Value shown_where(const Value& goes_on, const Value& now) { return goes_on ? ops::where(goes_on, now, 0.0) : now; }

/// Walks the steps of a direction in its order: `step(s, on)` gives the state to show at step s, where `on` says which
/// series go on.
Values walked(Recurrence& all, size_t direction, const std::function<Value(int64_t, const Value&)>& step) {
  Values shown(static_cast<size_t>(all.steps()));
  for (int64_t i = 0; i < all.steps(); ++i) {
    const int64_t at = all.is_reverse(direction) ? all.steps() - 1 - i : i;
    const Value on = all.goes_on(at);
    shown[static_cast<size_t>(at)] = shown_where(on, step(at, on));
  }
  return shown;
}

Value sum_of(const Value& x, const Value& term) { return term ? ops::add(x, term) : x; }

}  // namespace

// h = f(x W' + Wb + h R' + Rb).
Values unrolled_rnn(Recurrence& all) {
  all.expect_steps();
  std::vector<Values> series;
  Values last;
  for (size_t d = 0; d < all.directions(); ++d) {
    const Value recurrent = all.of_direction(2, d);
    const auto [input_bias, state_bias] = all.biases(d);
    const Value of_input = sum_of(sum_of(all.of_input(d), input_bias), state_bias);
    Value h = all.initial(5, d);
    series.push_back(walked(all, d, [&](int64_t step, const Value& on) {
      const Value sum = ops::add(all.step_of(of_input, step), ops::matmul(h, recurrent, false, true));
      return h = kept(on, all.activated(d, 0, sum), h);
    }));
    last.push_back(h);
  }
  return {all.series_of_steps(series), all.states(last)};
}

// Gates z, r, h: h' = (1 - z) * g(...) + z * h. The reset stands before the product with R, or behind it.
Values unrolled_gru(Recurrence& all, bool resets_behind) {
  all.expect_steps();
  const int64_t hidden = all.hidden();
  std::vector<Values> series;
  Values last;
  for (size_t d = 0; d < all.directions(); ++d) {
    const Value recurrent = all.of_direction(2, d);
    const auto [input_bias, state_bias] = all.biases(d);
    const Value of_input = sum_of(all.of_input(d), input_bias);
    const Value of_gates = ops::slice(recurrent, 0, 0, 2 * hidden),
                of_new = ops::slice(recurrent, 0, 2 * hidden, 3 * hidden);
    const Value gates_bias = state_bias ? ops::slice(state_bias, 0, 0, 2 * hidden) : Value();
    const Value new_bias = state_bias ? all.gate(state_bias, 2) : Value();
    Value h = all.initial(5, d);
    series.push_back(walked(all, d, [&](int64_t step, const Value& on) {
      const Value x = all.step_of(of_input, step);
      const Value of_state = sum_of(ops::matmul(h, of_gates, false, true), gates_bias);
      const Value gates = ops::add(ops::slice(x, -1, 0, 2 * hidden), of_state);
      const Value z = all.activated(d, 0, all.gate(gates, 0)), r = all.activated(d, 0, all.gate(gates, 1));
      const Value reset = resets_behind ? ops::mul(r, sum_of(ops::matmul(h, of_new, false, true), new_bias))
                                        : sum_of(ops::matmul(ops::mul(r, h), of_new, false, true), new_bias);
      const Value made = all.activated(d, 1, ops::add(all.gate(x, 2), reset));
      const Value next = ops::add(ops::mul(ops::shifted(ops::neg(z), 1), made), ops::mul(z, h));
      return h = kept(on, next, h);
    }));
    last.push_back(h);
  }
  return {all.series_of_steps(series), all.states(last)};
}

// Gates i, o, f, c: c' = f * c + i * g(...), h' = o * h(c'). Peepholes let the gates see the cell.
Values unrolled_lstm(Recurrence& all, bool couples) {
  all.expect_steps();
  std::vector<Values> series;
  Values last, last_cells;
  for (size_t d = 0; d < all.directions(); ++d) {
    const Value recurrent = all.of_direction(2, d), peepholes = all.of_direction(7, d);
    const auto [input_bias, state_bias] = all.biases(d);
    const Value of_input = sum_of(sum_of(all.of_input(d), input_bias), state_bias);
    Value h = all.initial(5, d), c = all.initial(6, d);
    const auto seen = [&](const Value& sum, int64_t which, const Value& cell) {
      return peepholes ? ops::add(sum, ops::mul(all.gate(peepholes, which), cell)) : sum;
    };
    series.push_back(walked(all, d, [&](int64_t step, const Value& on) {
      const Value gates = ops::add(all.step_of(of_input, step), ops::matmul(h, recurrent, false, true));
      const Value i = all.activated(d, 0, seen(all.gate(gates, 0), 0, c));
      const Value f = couples ? ops::shifted(ops::neg(i), 1) : all.activated(d, 0, seen(all.gate(gates, 2), 2, c));
      const Value made = all.activated(d, 1, all.gate(gates, 3));
      const Value cell = ops::add(ops::mul(f, c), ops::mul(i, made));
      const Value o = all.activated(d, 0, seen(all.gate(gates, 1), 1, cell));
      const Value next = ops::mul(o, all.activated(d, 2, cell));
      c = kept(on, cell, c);
      return h = kept(on, next, h);
    }));
    last.push_back(h);
    last_cells.push_back(c);
  }
  return {all.series_of_steps(series), all.states(last), all.states(last_cells)};
}

}  // namespace causeway::formats::onnx
