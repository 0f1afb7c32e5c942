#include "causeway/ops/recurrent.h"

#include <string>

#include "causeway/base/fault.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// N, L and H, as far as they are told.
struct Lengths {
  Dim batch, steps, hidden;

  Shape series(int64_t blocks) const { return {batch, steps, hidden * blocks}; }
  Shape state() const { return {batch, hidden}; }
};

/// Takes what each operand tells of the lengths; unfit() where two disagree.
class Reader {
 public:
  Lengths found;

  void series(const Type& x, int64_t blocks, std::string_view what) {
    const Shape shape = with_rank(x, 3, what);
    take(found.batch, shape[0], what, "batch");
    take(found.steps, shape[1], what, "count of steps");
    blocks_of(shape[2], blocks, what);
  }
  void state(const Type& x, std::string_view what) {
    const Shape shape = with_rank(x, 2, what);
    take(found.batch, shape[0], what, "batch");
    take(found.hidden, shape[1], what, "state");
  }
  void weight(const Type& x, int64_t blocks) {
    const Shape shape = with_rank(x, 2, "its weight");
    take(found.hidden, shape[0], "its weight", "state");
    blocks_of(shape[1], blocks, "its weight");
  }
  void bias(const Type& x, int64_t blocks) { blocks_of(with_rank(x, 1, "its bias")[0], blocks, "its bias"); }
  void mask(const Type& x) {
    const Shape shape = with_rank(truth(x, "its mask"), 2, "its mask");
    take(found.batch, shape[0], "its mask", "batch");
    take(found.steps, shape[1], "its mask", "count of steps");
  }

 private:
  static void take(Dim& known, const Dim& told, std::string_view what, std::string_view length) {
    if (known.equals(told) == std::optional(false)) {
      unfit(std::string(what) + " has " + told.text() + " as its " + std::string(length) + ", and " + known.text() +
            " is expected.");
    }
    if (known.is_unknown() || (told.is_number() && !known.is_number())) known = told;
  }
  void blocks_of(const Dim& told, int64_t blocks, std::string_view what) {
    if (!told.is_number()) {
      if (blocks == 1) take(found.hidden, told, what, "state");
      return;
    }
    if (told.number() % blocks != 0) {
      unfit(std::string(what) + " has " + told.text() + " channels, and " + std::to_string(blocks) +
            " blocks of one width are expected.");
    }
    take(found.hidden, told.number() / blocks, what, "width of a block");
  }
};

/// The dtype all but the mask share.
DType dtype_among(std::span<const Type> inputs, size_t mask) {
  std::vector<Type> numbers(inputs.begin(), inputs.end());
  if (mask < numbers.size()) numbers[mask] = {};
  return floating({common_dtype(numbers), {}}, "its input").dtype;
}

}  // namespace

int64_t Recurrent::gates() const { return cell == CellKind::Lstm ? 4 : cell == CellKind::Gru ? 3 : 1; }

int64_t Recurrent::kept_blocks() const {
  return cell == CellKind::Lstm ? 5 : cell == CellKind::SimpleRnn ? 1 : reset_after ? 4 : 3;
}

Types Recurrent::infer(std::span<const Type> inputs) const {
  const bool is_lstm = cell == CellKind::Lstm;
  expect_inputs(inputs, 2, is_lstm ? 6 : 5);
  const DType dtype = dtype_among(inputs, 4);
  Reader reader;
  reader.series(inputs[0], gates(), "a");
  reader.weight(inputs[1], gates());
  reader.bias(input_or_unknown(inputs, 2), gates());
  reader.state(input_or_unknown(inputs, 3), "h0");
  reader.mask(input_or_unknown(inputs, 4));
  reader.state(input_or_unknown(inputs, 5), "c0");
  const Lengths& lengths = reader.found;
  Types outputs = {{dtype, lengths.series(1)}, {dtype, lengths.state()}, {dtype, lengths.series(kept_blocks())}};
  if (is_lstm) outputs.push_back({dtype, lengths.state()});
  return outputs;
}

Values Recurrent::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  const bool is_lstm = cell == CellKind::Lstm;
  Values gradients(node.inputs.size());
  const Value dsteps = dy[0], dh = dy[1], dc = is_lstm ? dy[3] : Value();
  if (!dsteps && !dh && !dc) return gradients;
  Values inputs = {dsteps, dh, node.output(2), node.output(0), node.input(1), node.input(3), node.input(4)};
  if (is_lstm) inputs.insert(inputs.end(), {node.input(5), dc});
  const Values all = graph.add(RecurrentGradient{.of = *this}, std::move(inputs));
  constexpr size_t kOutputOf[] = {0, 1, 2, 3, 4, 4};  // the mask, input 4, has none
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (node.input(i) && i != 4) gradients[i] = all[kOutputOf[i]];
  }
  return gradients;
}

std::optional<Values> Recurrent::training(GraphBuilder& graph, const Node& node) const {
  if (!(recurrent_dropout > 0)) return std::nullopt;
  const Value weight = node.input(1);
  if (weight.kind() == Value::Kind::Slot && graph.slots().at(weight.name()).held) return std::nullopt;
  unfit("'recurrent_dropout' is " + text_of(recurrent_dropout) +
        ", and no step here drops part of a state. Hold the layer, or state 0.");
}

Types RecurrentGradient::infer(std::span<const Type> inputs) const {
  const bool is_lstm = of.cell == CellKind::Lstm;
  expect_inputs(inputs, 5, is_lstm ? 9 : 7);
  const DType dtype = dtype_among(inputs, 6);
  Reader reader;
  reader.series(inputs[0], 1, "dsteps");
  reader.state(inputs[1], "dh");
  reader.series(inputs[2], of.kept_blocks(), "kept");
  reader.series(inputs[3], 1, "steps");
  reader.weight(inputs[4], of.gates());
  reader.state(input_or_unknown(inputs, 5), "h0");
  reader.mask(input_or_unknown(inputs, 6));
  reader.state(input_or_unknown(inputs, 7), "c0");
  reader.state(input_or_unknown(inputs, 8), "dc");
  const Lengths& lengths = reader.found;
  const Dim channels = lengths.hidden * of.gates();
  Types outputs = {{dtype, lengths.series(of.gates())},
                   {dtype, {lengths.hidden, channels}},
                   {dtype, {channels}},
                   {dtype, lengths.state()}};
  if (is_lstm) outputs.push_back({dtype, lengths.state()});
  return outputs;
}

}  // namespace causeway::ops
