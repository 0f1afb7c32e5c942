#include <algorithm>
#include <vector>

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/formats/onnx/nodes/recurrence.h"
#include "causeway/formats/onnx/recurrent_layers.h"

// A recurrent layer as one LSTM, GRU or RNN node, which takes steps first: [L, N, in].

namespace causeway::formats::onnx {
namespace {

using ops::CellFunction, ops::CellKind;

/// How ONNX orders the blocks: its block i is this library's kOrder[i].
std::vector<int64_t> order_of(CellKind cell) {
  switch (cell) {
    case CellKind::Lstm:
      return {0, 3, 1, 2};  // i o f c out of i f g o
    case CellKind::Gru:
      return {1, 0, 2};  // z r h out of r z n
    case CellKind::SimpleRnn:
      break;
  }
  return {0};
}

/// The tensors one behind another, under a first axis that counts them.
Tensor stacked(const std::vector<Tensor>& parts) {
  std::vector<int64_t> lengths = parts[0].lengths();
  lengths.insert(lengths.begin(), static_cast<int64_t>(parts.size()));
  std::vector<float> numbers;
  for (const Tensor& part : parts) {
    const std::span<const float> values = part.values<float>();
    numbers.insert(numbers.end(), values.begin(), values.end());
  }
  return Tensor::of<float>(std::move(lengths), numbers);
}

class Writer {
 public:
  explicit Writer(NodeWriter& node)
      : node_(node), layer_(node.settings<RecurrentLayer>()), op_(layer_.of), directions_(layer_.both_ways ? 2 : 1) {
    const Dim& hidden = node.shape(input_of(0, Operand::Recurrent))[0];
    if (!hidden.is_number()) unfit("the width of its state is not known.");
    hidden_ = hidden.number();
    for (const int64_t block : order_of(op_.cell)) {
      for (int64_t i = 0; i < hidden_; ++i) places_.push_back(block * hidden_ + i);
    }
  }

  void write() {
    const bool is_lstm = op_.cell == CellKind::Lstm;
    const std::string_view op = is_lstm ? "LSTM" : op_.cell == CellKind::Gru ? "GRU" : "RNN";
    if (node_.value(1) && op_.repeat_masked && layer_.shows_masked_steps) {
      unfit("a masked step repeats the output before it, and ONNX's " + std::string(op) +
            " answers 0 there. Set zero_output_for_mask to true or return_sequences to false, or let only layers read "
            "its steps that mask the same ones.");
    }
    const std::string x = node_.add("Transpose", {node_.input(0)}, {list("perm", {1, 0, 2})});
    std::vector<std::string> inputs = {
        x,         matrices(Operand::Weight, "W"), matrices(Operand::Recurrent, "R"), biases(),
        lengths(), states(Operand::State)};
    if (is_lstm) inputs.push_back(states(Operand::Cell));
    outputs_ = node_.add_many(op, std::move(inputs), attributes(), is_lstm ? 3 : 2);
    for (size_t d = 0; d < directions_; ++d) {
      give_steps(d);
      give_state(d, 1);
      if (is_lstm) give_state(d, 2);
    }
    if (layer_.both_ways) give_joined();
  }

 private:
  enum class Operand : size_t { Weight, Bias, Recurrent, RecurrentBias, State, Cell };

  size_t input_of(size_t direction, Operand operand) const {
    return 2 + direction * RecurrentLayer::kInputs + static_cast<size_t>(operand);
  }
  bool has(size_t direction, Operand operand) const { return bool(node_.value(input_of(direction, operand))); }
  int64_t channels() const { return static_cast<int64_t>(places_.size()); }

  std::string with_first_axis(const std::string& x) {
    std::vector<std::string> inputs{x};
    std::vector<Attribute> attributes;
    node_.give_list(13, "axes", {0}, inputs, attributes);
    return node_.add("Unsqueeze", inputs, attributes);
  }
  std::string squeezed(const std::string& x, int64_t axis) {
    std::vector<std::string> inputs{x};
    std::vector<Attribute> attributes;
    node_.give_list(13, "axes", {axis}, inputs, attributes);
    return node_.add("Squeeze", inputs, attributes);
  }
  std::string joined(const std::vector<std::string>& parts) {
    return parts.size() == 1 ? parts[0] : node_.add("Concat", parts, {integer("axis", 0)});
  }
  std::string in_order(const std::string& x) {
    if (op_.cell == CellKind::SimpleRnn) return x;
    return node_.add("Gather", {x, node_.integers(places_, "blocks")}, {integer("axis", 0)});
  }

  // [directions, G·H, in] of the weights of the input or of the state: one initializer where all are slots.
  std::string matrices(Operand operand, std::string_view what) {
    std::vector<Tensor> numbers;
    for (size_t d = 0; d < directions_; ++d) {
      const bool is_transposed = operand == Operand::Weight && layer_.transposed[d] != 0;
      const std::optional<Tensor> matrix =
          has(d, operand) ? node_.numbers(input_of(d, operand)) : std::optional(identity());
      if (matrix) numbers.push_back(ordered(*matrix, is_transposed));
    }
    if (numbers.size() == directions_) return node_.learned(stacked(numbers), what);
    std::vector<std::string> parts;
    for (size_t d = 0; d < directions_; ++d) {
      if (!has(d, operand)) {
        parts.push_back(node_.learned(stacked({ordered(identity(), false)}), what));
        continue;
      }
      std::string matrix = node_.input(input_of(d, operand));
      const bool is_transposed = operand == Operand::Weight && layer_.transposed[d] != 0;
      if (!is_transposed) matrix = node_.add("Transpose", {matrix}, {list("perm", {1, 0})});
      parts.push_back(with_first_axis(in_order(matrix)));
    }
    return joined(parts);
  }

  // [k, G·H] (or [G·H, k] where transposed) as [G·H, k] in ONNX's order of blocks.
  Tensor ordered(const Tensor& matrix, bool is_transposed) const {
    const int64_t width = is_transposed ? matrix.lengths()[1] : matrix.lengths()[0];
    Tensor made(DType::Float32, {channels(), width});
    const std::span<const float> from = matrix.values<float>();
    const std::span<float> to = made.mutable_values<float>();
    for (int64_t row = 0; row < channels(); ++row) {
      const int64_t place = places_[static_cast<size_t>(row)];
      for (int64_t k = 0; k < width; ++k) {
        const int64_t at = is_transposed ? place * width + k : k * channels() + place;
        to[static_cast<size_t>(row * width + k)] = from[static_cast<size_t>(at)];
      }
    }
    return made;
  }

  Tensor identity() const {
    Tensor made(DType::Float32, {channels(), channels()});
    const std::span<float> numbers = made.mutable_values<float>();
    for (int64_t i = 0; i < channels(); ++i) numbers[static_cast<size_t>(i * channels() + i)] = 1;
    return made;
  }

  // [directions, 2·G·H]: the input's bias, then the state's, zeros for one that is absent; "" where none is there.
  std::string biases() {
    bool any = false, all_known = true;
    for (size_t d = 0; d < directions_; ++d) {
      for (const Operand operand : {Operand::Bias, Operand::RecurrentBias}) {
        any = any || has(d, operand);
        all_known = all_known && (!has(d, operand) || node_.numbers(input_of(d, operand)));
      }
    }
    if (!any) return "";
    std::vector<Tensor> numbers;
    std::vector<std::string> parts;
    for (size_t d = 0; d < directions_; ++d) {
      all_known ? numbers.push_back(bias_numbers(d)) : parts.push_back(bias_nodes(d));
    }
    return all_known ? node_.learned(stacked(numbers), "B") : joined(parts);
  }

  Tensor bias_numbers(size_t direction) {
    std::vector<float> both;
    for (const Operand operand : {Operand::Bias, Operand::RecurrentBias}) {
      const std::optional<Tensor> bias =
          has(direction, operand) ? node_.numbers(input_of(direction, operand)) : std::nullopt;
      for (const int64_t place : places_) {
        both.push_back(bias ? bias->values<float>()[static_cast<size_t>(place)] : 0.0f);
      }
    }
    return Tensor::of<float>({2 * channels()}, both);
  }
  std::string bias_nodes(size_t direction) {
    std::vector<std::string> both;
    for (const Operand operand : {Operand::Bias, Operand::RecurrentBias}) {
      both.push_back(has(direction, operand) ? in_order(node_.input(input_of(direction, operand)))
                                             : node_.constant(Tensor(DType::Float32, {channels()}), "no_bias"));
    }
    return with_first_axis(node_.add("Concat", both, {integer("axis", 0)}));
  }

  // How many steps of each series are real: those that are not stand behind them.
  std::string lengths() {
    if (!node_.value(1)) return "";
    constexpr int64_t kInt32 = 6;
    std::vector<std::string> inputs{node_.add("Cast", {node_.input(1)}, {integer("to", kInt32)})};
    std::vector<Attribute> attributes{integer("keepdims", 0)};
    node_.give_list(13, "axes", {1}, inputs, attributes);
    return node_.add("ReduceSum", inputs, attributes);
  }

  // [directions, N, H]; "" where the layer starts from zeros.
  std::string states(Operand operand) {
    if (!has(0, operand)) return "";
    std::vector<std::string> parts;
    for (size_t d = 0; d < directions_; ++d) parts.push_back(with_first_axis(node_.input(input_of(d, operand))));
    return joined(parts);
  }

  std::vector<Attribute> attributes() const {
    std::vector<Attribute> all{integer("hidden_size", hidden_)};
    if (layer_.both_ways || op_.reverse) {
      all.push_back(text("direction", layer_.both_ways ? "bidirectional" : "reverse"));
    }
    if (op_.cell == CellKind::Gru) all.push_back(integer("linear_before_reset", op_.reset_after ? 1 : 0));
    add_functions(all);
    return all;
  }

  void add_functions(std::vector<Attribute>& all) const {
    std::vector<CellFunction> functions = {op_.activation};
    if (op_.cell != CellKind::SimpleRnn) functions.insert(functions.begin(), op_.recurrent_activation);
    if (op_.cell == CellKind::Lstm) functions.push_back(op_.activation);
    const bool are_defaults =
        op_.activation.kind == ops::CellFunctionKind::Tanh &&
        (op_.cell == CellKind::SimpleRnn || op_.recurrent_activation.kind == ops::CellFunctionKind::Sigmoid);
    if (are_defaults) return;
    Attribute names{.name = "activations", .kind = Attribute::Kind::Texts};
    Attribute alphas{.name = "activation_alpha", .kind = Attribute::Kind::Reals};
    Attribute betas{.name = "activation_beta", .kind = Attribute::Kind::Reals};
    for (size_t d = 0; d < directions_; ++d) {
      for (const CellFunction& function : functions) {
        const CellActivationRow* row = cell_activation_of(function);
        if (!row) {
          unfit("its activation is " + std::string(words_of(function.kind)[static_cast<size_t>(function.kind)]) +
                ", and ONNX's recurrent ops have no name for it.");
        }
        const bool is_linear = function.kind == ops::CellFunctionKind::Linear;
        names.texts.emplace_back(row->name);
        if (row->takes_alpha) alphas.reals.push_back(is_linear ? 1 : function.alpha);
        if (row->takes_beta) betas.reals.push_back(is_linear ? 0 : function.beta);
      }
    }
    all.push_back(std::move(names));
    if (!alphas.reals.empty()) all.push_back(std::move(alphas));
    if (!betas.reals.empty()) all.push_back(std::move(betas));
  }

  std::string of_direction(const std::string& x, size_t direction, int64_t axis) {
    if (!layer_.both_ways) return squeezed(x, axis);
    const std::string which = node_.constant(Tensor::scalar(static_cast<int64_t>(direction)), "direction");
    return node_.add("Gather", {x, which}, {integer("axis", axis)});
  }

  void give_steps(size_t direction) {
    const size_t output = direction * RecurrentLayer::kOutputs;
    if (!node_.is_read(output)) return;
    node_.give(output, node_.add("Transpose", {of_direction(outputs_[0], direction, 1)}, {list("perm", {1, 0, 2})}));
  }
  void give_state(size_t direction, size_t which) {
    const size_t output = direction * RecurrentLayer::kOutputs + which;
    if (node_.is_read(output)) node_.give(output, of_direction(outputs_[which], direction, 0));
  }
  void give_joined() {
    const size_t steps = 2 * RecurrentLayer::kOutputs;
    if (node_.is_read(steps)) {
      const std::string turned = node_.add("Transpose", {outputs_[0]}, {list("perm", {2, 0, 1, 3})});
      node_.give(steps, node_.add("Reshape", {turned, node_.integers({0, 0, 2 * hidden_}, "lengths")}));
    }
    if (node_.is_read(steps + 1)) {
      const std::string turned = node_.add("Transpose", {outputs_[1]}, {list("perm", {1, 0, 2})});
      node_.give(steps + 1, node_.add("Reshape", {turned, node_.integers({0, 2 * hidden_}, "lengths")}));
    }
  }

  NodeWriter& node_;
  const RecurrentLayer& layer_;
  const ops::Recurrent& op_;
  size_t directions_;
  int64_t hidden_ = 0;
  /// Where each row of ONNX's matrices stands here.
  std::vector<int64_t> places_;
  std::vector<std::string> outputs_;
};

}  // namespace

void write_recurrent_layer(NodeWriter& node) { Writer(node).write(); }

}  // namespace causeway::formats::onnx
