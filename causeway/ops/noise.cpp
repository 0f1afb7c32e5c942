#include "causeway/ops/noise.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/fault.h"
#include "causeway/ops/build.h"
#include "causeway/ops/draws.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/random_normal.h"
#include "causeway/ops/random_uniform.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

// Of SELU: alpha * lambda.
constexpr double kLeast = 1.0507009873554805 * 1.6732632423543772;

Type with_rate(std::span<const Type> inputs, float rate) {
  expect_inputs(inputs, 1);
  if (!(rate >= 0 && rate < 1)) unfit("'rate' is " + text_of(rate) + ", and it lies in [0, 1).");
  return floating(inputs[0]);
}

}  // namespace

Types GaussianNoise::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  if (stddev.empty()) unfit("'stddev' holds no number, and one for all or one for each channel is read.");
  for (const float each : stddev) {
    if (!std::isfinite(each) || each < 0) unfit("'stddev' is " + text_of(each) + ", and it is finite and at least 0.");
  }
  const Shape& shape = inputs[0].shape;
  if (stddev.size() > 1 && shape.has_rank()) {
    const Dim& length = shape[axis_in(axis, shape.rank())];
    if (length.equals(static_cast<int64_t>(stddev.size())) == std::optional(false)) {
      unfit("'stddev' holds " + std::to_string(stddev.size()) + " numbers, and there are " + length.text() +
            " channels.");
    }
  }
  return {floating(inputs[0])};
}

Values GaussianNoise::gradient(GraphBuilder&, const Node&, const Values& dy) const { return {dy[0]}; }

std::optional<Values> GaussianNoise::training(GraphBuilder& graph, const Node& node) const {
  if (std::all_of(stddev.begin(), stddev.end(), [](float each) { return each == 0; })) return std::nullopt;
  const Value x = node.input(0);
  const Value draws = draws_for<RandomNormal>(graph, node, x, "noise", {}, drawn_in);
  if (stddev.size() == 1) return Values{add(x, scale(draws, stddev[0]))};
  std::vector<int64_t> lengths(rank_of(x), 1);
  lengths[axis_in(axis, lengths.size())] = static_cast<int64_t>(stddev.size());
  return Values{add(x, mul(draws, graph.constant(Tensor::of(lengths, stddev), "stddev")))};
}

std::optional<Turned> GaussianNoise::turned(const Node&, const Axes& axes) const {
  return Turned{GaussianNoise{.stddev = stddev,
                              .axis = stddev.size() > 1 ? turned_axis(axis, axes) : axis,
                              .drawn_in = turned_draws(drawn_in, axes)},
                {axes},
                {axes}};
}

Types GaussianDropout::infer(std::span<const Type> inputs) const { return {with_rate(inputs, rate)}; }

Values GaussianDropout::gradient(GraphBuilder&, const Node&, const Values& dy) const { return {dy[0]}; }

std::optional<Values> GaussianDropout::training(GraphBuilder& graph, const Node& node) const {
  if (rate == 0) return std::nullopt;
  const Value x = node.input(0);
  const Value draws = draws_for<RandomNormal>(graph, node, x, "noise", {}, drawn_in);
  const double share = static_cast<double>(rate);
  return Values{mul(x, shifted(scale(draws, std::sqrt(share / (1 - share))), 1))};
}

std::optional<Turned> GaussianDropout::turned(const Node&, const Axes& axes) const {
  return Turned{GaussianDropout{.rate = rate, .drawn_in = turned_draws(drawn_in, axes)}, {axes}, {axes}};
}

Types AlphaDropout::infer(std::span<const Type> inputs) const { return {with_rate(inputs, rate)}; }

Values AlphaDropout::gradient(GraphBuilder&, const Node&, const Values& dy) const { return {dy[0]}; }

std::optional<Values> AlphaDropout::training(GraphBuilder& graph, const Node& node) const {
  if (rate == 0) return std::nullopt;
  const Value x = node.input(0);
  const Value draws = draws_for<RandomUniform>(graph, node, x, "dropout", {}, drawn_in);
  const double share = static_cast<double>(rate);
  const double a = 1 / std::sqrt((1 - share) * (1 + share * kLeast * kLeast)), b = a * kLeast * share;
  return Values{shifted(scale(where(greater_or_equal(draws, rate), x, -kLeast), a), b)};
}

std::optional<Turned> AlphaDropout::turned(const Node&, const Axes& axes) const {
  return Turned{AlphaDropout{.rate = rate, .drawn_in = turned_draws(drawn_in, axes)}, {axes}, {axes}};
}

bool is_noise(const Op& op) {
  return op.is<Dropout>() || op.is<GaussianNoise>() || op.is<GaussianDropout>() || op.is<AlphaDropout>();
}

}  // namespace causeway::ops
