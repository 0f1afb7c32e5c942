#include <algorithm>
#include <functional>
#include <map>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

constexpr int64_t kMostSteps = 4096;

using Activation = std::function<Value(const Value&)>;

/// What an activation takes of activation_alpha and activation_beta, and what it takes where these say nothing.
struct ActivationRow {
  std::string_view name;
  bool takes_alpha, takes_beta;
  float alpha, beta;
  Value (*apply)(const Value& x, float alpha, float beta);
};

Value one_op(Op op, const Value& x) { return x.graph().add1(std::move(op), {x}); }

constexpr ActivationRow kActivations[] = {
    {"Affine", true, true, 1.0f, 0.0f,
     [](const Value& x, float a, float b) { return ops::shifted(ops::scale(x, a), b); }},
    {"Elu", true, false, 1.0f, 0.0f, [](const Value& x, float a, float) { return one_op(ops::Elu{.alpha = a}, x); }},
    {"HardSigmoid", true, true, 0.2f, 0.5f,
     [](const Value& x, float a, float b) { return one_op(ops::HardSigmoid{.alpha = a, .beta = b}, x); }},
    {"LeakyRelu", true, false, 0.01f, 0.0f,
     [](const Value& x, float a, float) { return one_op(ops::LeakyRelu{.slope = a}, x); }},
    {"Relu", false, false, 0, 0, [](const Value& x, float, float) { return ops::relu(x); }},
    {"ScaledTanh", true, true, 1.0f, 1.0f,
     [](const Value& x, float a, float b) { return ops::scale(ops::tanh(ops::scale(x, b)), a); }},
    {"Sigmoid", false, false, 0, 0, [](const Value& x, float, float) { return ops::sigmoid(x); }},
    {"Softplus", false, false, 0, 0, [](const Value& x, float, float) { return ops::softplus(x); }},
    {"Softsign", false, false, 0, 0, [](const Value& x, float, float) { return one_op(ops::Softsign{}, x); }},
    {"Tanh", false, false, 0, 0, [](const Value& x, float, float) { return ops::tanh(x); }},
    {"ThresholdedRelu", true, false, 1.0f, 0.0f,
     [](const Value& x, float a, float) { return ops::where(ops::greater(x, a), x, 0.0); }},
};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

/// A recurrent node as it is read: its sizes, its numbers a direction, and what all steps share.
class Recurrence {
 public:
  /// Gates: how many a cell has. Activations: their names where the node states none.
  Recurrence(NodeReader& node, int64_t gates, std::vector<std::string> activations)
      : node_(node), gates_(gates), layout_(node.opset() >= 14 ? node.integer("layout", 0) : 0) {
    direction_ = node.text("direction", "forward");
    if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional") {
      unfit("'direction' is '" + direction_ + "'; forward, reverse and bidirectional are read.");
    }
    directions_ = direction_ == "bidirectional" ? 2 : 1;
    if (layout_ != 0 && layout_ != 1) unfit("'layout' is " + std::to_string(layout_) + "; 0 and 1 are read.");
    x_ = steps_first(node.input(0), 3);
    if (known_rank(x_) != 3) unfit("x is " + x_.shape().text() + ", and it is a series of rows.");
    const Dim steps = x_.shape()[0];
    if (!steps.is_number())
      not_known_yet("x is " + node.input(0).shape().text() + ", and the count of its steps is a number.");
    steps_ = steps.number();
    if (steps_ < 1 || steps_ > kMostSteps) unfit("x has " + steps.text() + " steps, and 1 to 4096 are read.");
    read_sizes();
    clip_ = node.real("clip");
    if (node.opset() < 7) node.ignore("output_sequence");
    read_activations(std::move(activations));
  }

  NodeReader& node() { return node_; }
  GraphBuilder& graph() { return node_.graph(); }
  int64_t hidden() const { return hidden_; }
  int64_t steps() const { return steps_; }
  size_t directions() const { return directions_; }
  bool is_reverse(size_t direction) const { return direction_ == "reverse" || direction == 1; }
  const std::optional<float>& clip() const { return clip_; }

  /// The matrix or list of a direction, of an input that has one for each.
  Value of_direction(size_t i, size_t direction) {
    if (!node_.has_input(i)) return {};
    return ops::gather(node_.input(i), graph().scalar(static_cast<int64_t>(direction)));
  }
  /// One gate's part of a value that has all gates side by side on its last axis.
  Value gate(const Value& all, int64_t which) const {
    return ops::slice(all, -1, which * hidden_, (which + 1) * hidden_);
  }
  /// An initial state [N, H]; zeros where the node has none.
  Value initial(size_t i, size_t direction) {
    if (node_.has_input(i)) {
      const Value all = layout_ == 0 ? node_.input(i) : ops::transpose(node_.input(i), {1, 0, 2});
      return ops::gather(all, graph().scalar(static_cast<int64_t>(direction)));
    }
    const Value lengths = lengths_of(x_, {Length::axis(1), Length::of(hidden_)});
    return graph().add1(ops::ConstantOfShape{.value = 0, .dtype = known_dtype(x_)}, {lengths});
  }
  /// x W' for every step at once: [L, N, gates * H].
  Value of_input(size_t direction) { return ops::matmul(x_, of_direction(1, direction), false, true); }
  Value step_of(const Value& all, int64_t step) { return ops::gather(all, graph().scalar(step)); }

  Value activated(size_t direction, size_t which, Value x) const {
    if (clip_) x = ops::clip(x, -*clip_, *clip_);
    return activations_[direction * per_direction_ + which](x);
  }
  /// [N, 1]: whether a series goes on at this step; empty where all do.
  Value goes_on(int64_t step) {
    if (!node_.has_input(4)) return {};
    return ops::unsqueeze(ops::greater(node_.input(4), static_cast<double>(step)), {1});
  }
  static Value kept(const Value& goes_on, const Value& now, const Value& before) {
    return goes_on ? ops::where(goes_on, now, before) : now;
  }
  static Value shown(const Value& goes_on, const Value& now) { return goes_on ? ops::where(goes_on, now, 0.0) : now; }

  /// All steps of all directions, [direction][step], as the node's Y; and last states as Y_h and Y_c.
  Value series(const std::vector<Values>& by_direction) {
    Values directions;
    for (const Values& steps : by_direction) {
      Values rows;
      for (const Value& step : steps) rows.push_back(ops::unsqueeze(step, {0}));
      directions.push_back(ops::unsqueeze(ops::concat(std::move(rows), 0), {1}));
    }
    const Value y = ops::concat(std::move(directions), 1);  // [L, D, N, H]
    return layout_ == 0 ? y : ops::transpose(y, {2, 0, 1, 3});
  }
  Value states(const Values& by_direction) {
    Values rows;
    for (const Value& state : by_direction) rows.push_back(ops::unsqueeze(state, {0}));
    const Value y = ops::concat(std::move(rows), 0);  // [D, N, H]
    return layout_ == 0 ? y : ops::transpose(y, {1, 0, 2});
  }

 private:
  Value steps_first(const Value& x, size_t rank) const {
    if (layout_ == 0 || known_rank(x) != rank) return x;
    return ops::transpose(x, {1, 0, 2});
  }

  void read_sizes() {
    const Shape& recurrent = node_.input(2).shape();
    if (!recurrent.has_rank() || recurrent.rank() != 3 || !recurrent[2].is_number()) {
      unfit("R is " + recurrent.text() + ", and it is [directions, gates * hidden, hidden].");
    }
    hidden_ = node_.integer("hidden_size", recurrent[2].number());
    const std::vector<Dim> wanted{static_cast<int64_t>(directions_), gates_ * hidden_, hidden_};
    for (size_t axis = 0; axis < 3; ++axis) {
      if (recurrent[axis].equals(wanted[axis]) == std::optional(false)) {
        unfit("R is " + recurrent.text() + ", and it should be " + Shape(wanted).text() + ".");
      }
    }
    const Shape& weight = node_.input(1).shape();
    if (weight.has_rank() && (weight.rank() != 3 || weight[0].equals(wanted[0]) == std::optional(false) ||
                              weight[1].equals(wanted[1]) == std::optional(false) ||
                              weight[2].equals(x_.shape()[2]) == std::optional(false))) {
      unfit("W is " + weight.text() + ", and it should be " + Shape({wanted[0], wanted[1], x_.shape()[2]}).text() +
            ".");
    }
    const Value bias = node_.input_or_none(3);
    if (bias && bias.shape().has_rank() &&
        (bias.shape().rank() != 2 || bias.shape()[0].equals(wanted[0]) == std::optional(false) ||
         bias.shape()[1].equals(Dim(2 * gates_ * hidden_)) == std::optional(false))) {
      unfit("B is " + bias.shape().text() + ", and it should be " + Shape({wanted[0], 2 * gates_ * hidden_}).text() +
            ".");
    }
  }

  void read_activations(std::vector<std::string> names) {
    per_direction_ = names.size();
    if (directions_ == 2) {
      const std::vector<std::string> once = names;
      names.insert(names.end(), once.begin(), once.end());
    }
    if (const std::optional<std::vector<std::string>> stated = node_.texts("activations")) {
      if (stated->size() != names.size()) {
        unfit("'activations' names " + std::to_string(stated->size()) + ", and " + std::to_string(names.size()) +
              " are read.");
      }
      names = *stated;
    }
    const std::vector<float> alphas = node_.reals("activation_alpha").value_or(std::vector<float>());
    const std::vector<float> betas = node_.reals("activation_beta").value_or(std::vector<float>());
    size_t next_alpha = 0, next_beta = 0;
    for (const std::string& name : names) {
      const auto row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                    [&](const ActivationRow& each) { return same_word(each.name, name); });
      if (row == std::end(kActivations)) unfit("'activations' names '" + name + "', which is not read.");
      // Both lists are used up in order by the activations that take them.
      const float alpha = row->takes_alpha && next_alpha < alphas.size() ? alphas[next_alpha++] : row->alpha;
      const float beta = row->takes_beta && next_beta < betas.size() ? betas[next_beta++] : row->beta;
      activations_.push_back([row, alpha, beta](const Value& x) { return row->apply(x, alpha, beta); });
    }
  }

  NodeReader& node_;
  int64_t gates_, layout_;
  std::string direction_;
  size_t directions_ = 1, per_direction_ = 0;
  Value x_;
  int64_t steps_ = 0, hidden_ = 0;
  std::optional<float> clip_;
  std::vector<Activation> activations_;
};

/// Walks the steps of a direction in its order: `step(s, on)` gives the state to show at step s, where `on` says which
/// series go on.
Values walked(Recurrence& all, size_t direction, const std::function<Value(int64_t, const Value&)>& step) {
  Values shown(static_cast<size_t>(all.steps()));
  for (int64_t i = 0; i < all.steps(); ++i) {
    const int64_t at = all.is_reverse(direction) ? all.steps() - 1 - i : i;
    const Value on = all.goes_on(at);
    shown[static_cast<size_t>(at)] = Recurrence::shown(on, step(at, on));
  }
  return shown;
}

// The two halves of B: for the input and for the state.
std::pair<Value, Value> halves(const Value& bias, int64_t each) {
  if (!bias) return {};
  return {ops::slice(bias, 0, 0, each), ops::slice(bias, 0, each, 2 * each)};
}

Value sum_of(const Value& x, const Value& term) { return term ? ops::add(x, term) : x; }

}  // namespace

// h = f(x W' + Wb + h R' + Rb).
Values read_rnn(NodeReader& node) {
  node.expect_inputs(3, 6);
  Recurrence all(node, 1, {"Tanh"});
  std::vector<Values> series;
  Values last;
  for (size_t d = 0; d < all.directions(); ++d) {
    const Value recurrent = all.of_direction(2, d);
    const auto [input_bias, state_bias] = halves(all.of_direction(3, d), all.hidden());
    const Value of_input = sum_of(sum_of(all.of_input(d), input_bias), state_bias);
    Value h = all.initial(5, d);
    series.push_back(walked(all, d, [&](int64_t step, const Value& on) {
      const Value sum = ops::add(all.step_of(of_input, step), ops::matmul(h, recurrent, false, true));
      return h = Recurrence::kept(on, all.activated(d, 0, sum), h);
    }));
    last.push_back(h);
  }
  return {all.series(series), all.states(last)};
}

// Gates z, r, h: h' = (1 - z) * g(...) + z * h. The reset stands before the product with R, or behind it.
Values read_gru(NodeReader& node) {
  node.expect_inputs(3, 6);
  const bool resets_behind = node.opset() >= 3 && node.flag("linear_before_reset", false);
  Recurrence all(node, 3, {"Sigmoid", "Tanh"});
  const int64_t hidden = all.hidden();
  std::vector<Values> series;
  Values last;
  for (size_t d = 0; d < all.directions(); ++d) {
    const Value recurrent = all.of_direction(2, d);
    const auto [input_bias, state_bias] = halves(all.of_direction(3, d), 3 * hidden);
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
      return h = Recurrence::kept(on, next, h);
    }));
    last.push_back(h);
  }
  return {all.series(series), all.states(last)};
}

// Gates i, o, f, c: c' = f * c + i * g(...), h' = o * h(c'). Peepholes let the gates see the cell.
Values read_lstm(NodeReader& node) {
  node.expect_inputs(3, 8);
  const bool couples = node.flag("input_forget", false);
  Recurrence all(node, 4, {"Sigmoid", "Tanh", "Tanh"});
  const int64_t hidden = all.hidden();
  std::vector<Values> series;
  Values last, last_cells;
  for (size_t d = 0; d < all.directions(); ++d) {
    const Value recurrent = all.of_direction(2, d), peepholes = all.of_direction(7, d);
    const auto [input_bias, state_bias] = halves(all.of_direction(3, d), 4 * hidden);
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
      c = Recurrence::kept(on, cell, c);
      return h = Recurrence::kept(on, next, h);
    }));
    last.push_back(h);
    last_cells.push_back(c);
  }
  return {all.series(series), all.states(last), all.states(last_cells)};
}

}  // namespace causeway::formats::onnx
