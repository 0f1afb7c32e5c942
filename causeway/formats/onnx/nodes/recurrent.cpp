#include "causeway/ops/recurrent.h"

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/formats/onnx/nodes/recurrence.h"
#include "causeway/ops/build.h"

// LSTM, GRU and RNN become the op that walks all steps; what that has not is spelled out step by step (unrolled.cpp).

namespace causeway::formats::onnx {
namespace {

using ops::CellKind;

/// Blocks of a first axis in another order: block i of what comes out is block order[i].
Value in_order(const Value& all, const std::vector<int64_t>& order, int64_t each) {
  if (!all || order.size() == 1) return all;
  std::vector<int64_t> places;
  for (const int64_t block : order) {
    for (int64_t i = 0; i < each; ++i) places.push_back(block * each + i);
  }
  return ops::gather(all, ops::integers(all.graph(), std::move(places)));
}

/// Each direction as one op: `op` with the direction's functions, `order` where the op's blocks stand in ONNX's.
Values by_op(Recurrence& all, ops::Recurrent op, const std::vector<int64_t>& order) {
  const bool is_lstm = op.cell == CellKind::Lstm;
  const Value x = all.rows_first(), mask = all.mask();
  Values steps, states, cells;
  for (size_t d = 0; d < all.directions(); ++d) {
    const auto ordered = [&](const Value& value) { return in_order(value, order, all.hidden()); };
    const auto [input_bias, state_bias] = all.biases(d);
    Value a = ops::matmul(x, ordered(all.of_direction(1, d)), false, true);
    if (input_bias) a = ops::add(a, ordered(input_bias));
    Values inputs = {a, ops::transpose(ordered(all.of_direction(2, d)), {1, 0}), ordered(state_bias),
                     all.stated_initial(5, d), mask};
    if (is_lstm) inputs.push_back(all.stated_initial(6, d));
    op.reverse = all.is_reverse(d);
    op.activation = all.function(d, op.cell == CellKind::SimpleRnn ? 0 : 1);
    if (op.cell != CellKind::SimpleRnn) op.recurrent_activation = all.function(d, 0);
    const Values made = all.graph().add(op, std::move(inputs));
    steps.push_back(made[0]);
    states.push_back(made[1]);
    if (is_lstm) cells.push_back(made[3]);
  }
  Values outputs = {all.series(steps), all.states(states)};
  if (is_lstm) outputs.push_back(all.states(cells));
  return outputs;
}

}  // namespace

Values read_rnn(NodeReader& node) {
  node.expect_inputs(3, 6);
  Recurrence all(node, 1, {"Tanh"});
  return all.clip() ? unrolled_rnn(all) : by_op(all, {.cell = CellKind::SimpleRnn}, {0});
}

// Gates z, r, h.
Values read_gru(NodeReader& node) {
  node.expect_inputs(3, 6);
  const bool resets_behind = node.opset() >= 3 && node.flag("linear_before_reset", false);
  Recurrence all(node, 3, {"Sigmoid", "Tanh"});
  if (all.clip()) return unrolled_gru(all, resets_behind);
  return by_op(all, {.cell = CellKind::Gru, .reset_after = resets_behind}, {1, 0, 2});
}

// Gates i, o, f, c.
Values read_lstm(NodeReader& node) {
  node.expect_inputs(3, 8);
  const bool couples = node.flag("input_forget", false);
  Recurrence all(node, 4, {"Sigmoid", "Tanh", "Tanh"});
  bool has_one_function = true;
  for (size_t d = 0; d < all.directions(); ++d) {
    has_one_function = has_one_function && all.function(d, 1) == all.function(d, 2);
  }
  const bool fits = !all.clip() && !couples && !node.has_input(7) && has_one_function;
  return fits ? by_op(all, {.cell = CellKind::Lstm}, {0, 2, 3, 1}) : unrolled_lstm(all, couples);
}

}  // namespace causeway::formats::onnx
