#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/formats/onnx/node_reader.h"
#include "causeway/ops/cell_function.h"

namespace causeway::formats::onnx {

/// An activation of ONNX's recurrent ops: its name, the function it is, and which of activation_alpha and
/// activation_beta it takes; `function` holds what it takes where they say nothing.
struct CellActivationRow {
  std::string_view name;
  ops::CellFunction function;
  bool takes_alpha = false, takes_beta = false;
};
/// The row of a function; null where ONNX has no name for it.
const CellActivationRow* cell_activation_of(const ops::CellFunction& function);

/// A recurrent node as it is read: its sizes and its numbers a direction.
class Recurrence {
 public:
  /// Gates: how many a cell has. Activations: their names where the node states none. unfit() for what does not fit.
  Recurrence(NodeReader& node, int64_t gates, std::vector<std::string> activations);

  NodeReader& node() { return node_; }
  GraphBuilder& graph() { return node_.graph(); }
  int64_t hidden() const { return hidden_; }
  size_t directions() const { return directions_; }
  bool is_reverse(size_t direction) const { return direction_ == "reverse" || direction == 1; }
  const std::optional<float>& clip() const { return clip_; }
  const ops::CellFunction& function(size_t direction, size_t which) const {
    return functions_[direction * per_direction_ + which];
  }

  /// The matrix or list of a direction, of an input that has one for each; empty where the input is absent.
  Value of_direction(size_t i, size_t direction);
  /// The two halves of B: for the input and for the state; empty ones where there is none.
  std::pair<Value, Value> biases(size_t direction);
  /// An initial state [N, H]; empty where the node has none.
  Value stated_initial(size_t i, size_t direction);
  /// The series [N, L, in], and which of its steps are real, [N, L]; empty where all are.
  Value rows_first() const;
  Value mask();

  /// All steps [N, L, H] of each direction as the node's Y; and last states [N, H] as Y_h and Y_c.
  Value series(const Values& by_direction) const;
  Value states(const Values& by_direction) const;

  // Step by step.

  /// NotKnownYet where the count of steps is open, unfit() where it is too large.
  void expect_steps();
  int64_t steps() const { return steps_; }
  /// x W' for every step at once: [L, N, gates * H].
  Value of_input(size_t direction);
  /// One gate's part of a value that has all gates side by side on its last axis.
  Value gate(const Value& all, int64_t which) const;
  Value step_of(const Value& all, int64_t step);
  Value activated(size_t direction, size_t which, Value x) const;
  /// An initial state, zeros where the node has none.
  Value initial(size_t i, size_t direction);
  /// [N, 1]: whether a series goes on at this step; empty where all do.
  Value goes_on(int64_t step);
  /// Steps [N, H] of each direction as the node's Y.
  Value series_of_steps(const std::vector<Values>& by_direction) const;

 private:
  void read_sizes();
  void read_activations(std::vector<std::string> names);

  NodeReader& node_;
  int64_t gates_, layout_;
  std::string direction_;
  size_t directions_ = 1, per_direction_ = 0;
  Value x_;  // [L, N, in]
  int64_t steps_ = 0, hidden_ = 0;
  std::optional<float> clip_;
  std::vector<ops::CellFunction> functions_;
};

// unrolled.cpp
Values unrolled_rnn(Recurrence& all);
Values unrolled_gru(Recurrence& all, bool resets_behind);
Values unrolled_lstm(Recurrence& all, bool couples);

}  // namespace causeway::formats::onnx
