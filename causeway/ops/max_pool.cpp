#include "causeway/ops/max_pool.h"

#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"
#include "causeway/ops/windowed.h"

namespace causeway::ops {

Types MaxPool::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  window.check();
  const Type x = numeric(inputs[0]);
  Shape made = windowed_shape(window, layout, x, channels_of(layout, x, window.rank() + 2));
  expect_real_cells(window, layout, with_rank(x, window.rank() + 2, "x"));
  return {{x.dtype, std::move(made)}};
}

Values MaxPool::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  return graph.add(MaxPoolGradient{.window = window, .layout = layout}, {dy[0], node.input(0)});
}

std::optional<Turned> MaxPool::turned(const Node&, const Axes& axes) const {
  const std::optional<WindowTurn> turn = turned_window(window, layout, axes);
  if (!turn) return std::nullopt;
  return Turned{MaxPool{.window = turn->window, .layout = turn->layout}, {axes}, {axes}};
}

Types MaxPoolGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  window.check();
  const Type x = floating({common_dtype(inputs), inputs[1].shape});
  expect_made(window, layout, x, inputs[0]);
  return {x};
}

std::optional<Turned> MaxPoolGradient::turned(const Node&, const Axes& axes) const {
  const std::optional<WindowTurn> turn = turned_window(window, layout, axes);
  if (!turn) return std::nullopt;
  return Turned{MaxPoolGradient{.window = turn->window, .layout = turn->layout}, {axes, axes}, {axes}};
}

}  // namespace causeway::ops
