#include "causeway/ops/dropout.h"

#include "causeway/base/fault.h"
#include "causeway/ops/build.h"
#include "causeway/ops/draws.h"
#include "causeway/ops/random_uniform.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Dropout::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (!(rate >= 0 && rate <= 1)) unfit("'rate' is " + text_of(rate) + ", and 0 to 1 is expected.");
  if (inputs[0].shape.has_rank()) axes_in(shared_axes, inputs[0].shape.rank());
  return {floating(inputs[0])};
}

Values Dropout::gradient(GraphBuilder&, const Node&, const Values& dy) const { return {dy[0]}; }

std::optional<Values> Dropout::training(GraphBuilder& graph, const Node& node) const {
  if (rate == 0) return std::nullopt;
  const Value x = node.input(0);
  const Value draws = draws_for<RandomUniform>(graph, node, x, purpose, shared_axes, drawn_in);
  const auto kept = static_cast<float>(1.0 / (1.0 - static_cast<double>(rate)));
  return Values{mul(x, where(greater_or_equal(draws, rate), number_like(x, rate < 1 ? kept : 0.0f), 0.0))};
}

std::optional<Turned> Dropout::turned(const Node&, const Axes& axes) const {
  const Dropout moved{.rate = rate,
                      .shared_axes = turned_axes(shared_axes, axes),
                      .drawn_in = turned_draws(drawn_in, axes),
                      .purpose = purpose};
  return Turned{moved, {axes}, {axes}};
}

}  // namespace causeway::ops
