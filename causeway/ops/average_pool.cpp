#include "causeway/ops/average_pool.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"
#include "causeway/ops/windowed.h"

namespace causeway::ops {

Types AveragePool::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  window.check();
  const Type x = floating(inputs[0]);
  Shape made = windowed_shape(window, layout, x, channels_of(layout, x, window.rank() + 2));
  expect_real_cells(window, layout, with_rank(x, window.rank() + 2, "x"));
  return {{x.dtype, std::move(made)}};
}

Values AveragePool::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  const AveragePoolGradient back{.window = window, .layout = layout, .count_include_pad = count_include_pad};
  return graph.add(back, {dy[0], shape_of(node.input(0))});
}

std::optional<Turned> AveragePool::turned(const Node&, const Axes& axes) const {
  const std::optional<WindowTurn> turn = turned_window(window, layout, axes);
  if (!turn) return std::nullopt;
  const AveragePool moved{.window = turn->window, .layout = turn->layout, .count_include_pad = count_include_pad};
  return Turned{moved, {axes}, {axes}};
}

Types AveragePoolGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  window.check();
  const Type dy = floating(inputs[0], "dy");
  const Type x{dy.dtype, with_rank({DType::Unknown, shape_named_by(inputs[1])}, window.rank() + 2, "x")};
  expect_made(window, layout, x, dy);
  return {x};
}

Values AveragePoolGradient::gradient(GraphBuilder& graph, const Node&, const Values& dx) const {
  const AveragePool again{.window = window, .layout = layout, .count_include_pad = count_include_pad};
  return {graph.add1(again, {dx[0]}), {}};
}

std::optional<Turned> AveragePoolGradient::turned(const Node&, const Axes& axes) const {
  const std::optional<WindowTurn> turn = turned_window(window, layout, axes);
  if (!turn) return std::nullopt;
  const AveragePoolGradient moved{
      .window = turn->window, .layout = turn->layout, .count_include_pad = count_include_pad};
  return Turned{moved, {axes, {}}, {axes}, {AxisList::None, AxisList::PerAxis}};
}

}  // namespace causeway::ops
