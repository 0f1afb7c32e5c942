#include "causeway/ops/dropout.h"

#include <algorithm>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/ops/build.h"
#include "causeway/ops/random_uniform.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// The lengths of the draws: those of x in the order in which they are numbered, with 1 where one draw serves all.
Value lengths_of_draws(Value x, const std::vector<size_t>& shared, const Axes& order) {
  GraphBuilder& graph = x.graph();
  Values lengths;
  const Value of_x = shape_of(x);
  for (const size_t axis : order) {
    const bool serves_all = std::binary_search(shared.begin(), shared.end(), axis);
    lengths.push_back(serves_all ? integers(graph, {1}) : gather(of_x, integers(graph, {static_cast<int64_t>(axis)})));
  }
  return lengths.empty() ? integers(graph, {}) : concat(std::move(lengths), 0);
}

}  // namespace

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
  const std::vector<size_t> shared = axes_in(shared_axes, rank_of(x));
  const Axes order = drawn_in.empty() ? axes_or_all({}, rank_of(x)) : drawn_in;
  const Type whole{DType::Int64, Shape(std::vector<Dim>())};
  const RandomUniform draw{.purpose = purpose + ":" + node.scope->path};
  Value draws = graph.add1(draw, {graph.shared_input("@seed", whole), graph.shared_input("@batch", whole),
                                  lengths_of_draws(x, shared, order)});
  if (!is_identity(order)) draws = transpose(draws, inverse(order));
  const auto kept = static_cast<float>(1.0 / (1.0 - static_cast<double>(rate)));
  return Values{mul(x, where(greater_or_equal(draws, rate), number_like(x, rate < 1 ? kept : 0.0f), 0.0))};
}

std::optional<Turned> Dropout::turned(const Node&, const Axes& axes) const {
  Dropout moved{.rate = rate, .shared_axes = turned_axes(shared_axes, axes), .purpose = purpose};
  // The draws keep their numbers: axis k of theirs is axis drawn_in[k] of x.
  for (const size_t axis : drawn_in.empty() ? axes_or_all({}, axes.size()) : drawn_in) {
    moved.drawn_in.push_back(axes[axis]);
  }
  if (is_identity(moved.drawn_in)) moved.drawn_in.clear();
  return Turned{moved, {axes}, {axes}};
}

}  // namespace causeway::ops
