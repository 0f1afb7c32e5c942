#include "causeway/ops/pad.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// unfit() where cells would be copied from beyond the input.
void expect_room(PadMode mode, int64_t cells, const Dim& length) {
  if (mode == PadMode::Constant || !length.is_number() || cells <= 0) return;
  const int64_t count = length.number();
  if (mode == PadMode::Edge ? count > 0 : cells <= (mode == PadMode::Reflect ? count - 1 : count)) return;
  unfit("an axis of " + length.text() + " is to be padded by " + std::to_string(cells) + " cells in mode '" +
        std::string(words_of(mode)[static_cast<size_t>(mode)]) + "', which has not as many to copy.");
}

Shape padded(PadMode mode, const Shape& x, const Type& pads) {
  indexing(pads, "pads");
  const Dim entries = entries_of(pads, "pads");
  if (!x.has_rank()) {
    return entries.is_number() && entries.number() % 2 == 0 && entries.number() <= 2 * kMostAxes
               ? Shape::of_rank(static_cast<size_t>(entries.number() / 2))
               : Shape();
  }
  const size_t rank = x.rank();
  same_length(entries, static_cast<int64_t>(2 * rank), "the number of pads", "twice the rank");
  const std::optional<std::vector<Dim>> cells = dims_of(pads);
  if (!cells) return Shape::of_rank(rank);
  Shape y = x;
  for (size_t axis = 0; axis < rank; ++axis) {
    const Dim &before = (*cells)[axis], &after = (*cells)[rank + axis];
    if (before.is_number()) expect_room(mode, before.number(), x[axis]);
    if (after.is_number()) expect_room(mode, after.number(), x[axis]);
    y[axis] = x[axis] + before + after;
    if (y[axis].is_unknown() && x[axis].is_number() && before.is_number() && after.is_number()) {
      unfit("an axis of " + x[axis].text() + " is to be padded by " + before.text() + " and " + after.text() +
            ", which passes 2^63 - 1.");
    }
    if (y[axis].is_number() && y[axis].number() < 0) {
      unfit("'pads' takes " + before.text() + " and " + after.text() + " off an axis of " + x[axis].text() + ".");
    }
  }
  return y;
}

}  // namespace

int64_t copied_place(PadMode mode, int64_t place, int64_t length) {
  if (place >= 0 && place < length) return place;
  switch (mode) {
    case PadMode::Constant:
      return -1;
    case PadMode::Reflect:
      return place < 0 ? -place : 2 * (length - 1) - place;
    case PadMode::Edge:
      return place < 0 ? 0 : length - 1;
    case PadMode::Wrap:
      return (place % length + length) % length;
  }
  return -1;
}

Types Pad::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2, 3);
  const Type operands[] = {{inputs[0].dtype, {}}, {input_or_unknown(inputs, 2).dtype, {}}};
  return {{common_dtype(operands), padded(mode, inputs[0].shape, inputs[1])}};
}

Values Pad::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  Values gradients(node.inputs.size());
  gradients[0] = graph.add1(PadGradient{.mode = mode}, {dy[0], shape_of(node.input(0)), node.input(1)});
  return gradients;
}

std::optional<Turned> Pad::turned(const Node& node, const Axes& axes) const {
  std::vector<Axes> inputs(node.inputs.size());
  inputs[0] = axes;
  return Turned{Pad{.mode = mode}, inputs, {axes}, {AxisList::None, AxisList::PerSide}};
}

Types PadGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  Type x{floating(inputs[0], "dy").dtype, shape_named_by(inputs[1])};
  const Shape made = padded(mode, x.shape, inputs[2]);
  if (made.has_rank()) {
    const Shape dy = with_rank(inputs[0], made.rank(), "dy");
    for (size_t axis = 0; axis < made.rank(); ++axis) {
      same_length(dy[axis], made[axis], "a length of dy", "the padded one");
    }
  }
  return {x};
}

Values PadGradient::gradient(GraphBuilder& graph, const Node& node, const Values& dx) const {
  return {graph.add1(Pad{.mode = mode}, {dx[0], node.input(2)}), {}, {}};
}

std::optional<Turned> PadGradient::turned(const Node&, const Axes& axes) const {
  return Turned{
      PadGradient{.mode = mode}, {axes, {}, {}}, {axes}, {AxisList::None, AxisList::PerAxis, AxisList::PerSide}};
}

}  // namespace causeway::ops
