#include <limits>
#include <string>

#include "causeway/ops/op_list.h"
#include "tests/ops/case_list.h"
#include "tests/ops/over_shapes.h"

namespace causeway::tests {
namespace {

InputCase at(std::vector<double> numbers) {
  const int64_t count = static_cast<int64_t>(numbers.size());
  return floats_of({count}, std::move(numbers));
}

/// What the specification states, and what the gradient is at a corner (a difference does not see it).
OpCases stated() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const InputCase seven = at({-4, -2.5, -1, -0.3, 0.3, 1, 2.5});
  return {
      {.name = "gelu stated",
       .op = ops::Gelu(),
       .inputs = {seven},
       .bound = kFunction,
       .expected = {{-0.000126685, -0.0155242, -0.158655, -0.114627, 0.185373, 0.841345, 2.48448}}},
      // At -4 PyTorch's own float32 answer is -7.02143e-5: 1 + tanh loses that much there.
      {.name = "gelu by tanh stated",
       .op = ops::Gelu{.tanh_form = true},
       .inputs = {seven},
       .bound = kFunction,
       .expected = {{-7.02460e-5, -0.0150842, -0.158808, -0.114629, 0.185371, 0.841192, 2.48492}}},
      {.name = "mish stated",
       .op = ops::Mish(),
       .inputs = {seven},
       .bound = kFunction,
       .expected = {{-0.0725917, -0.196816, -0.303401, -0.151133, 0.208001, 0.865098, 2.47139}}},
      {.name = "hard_swish stated",
       .op = ops::HardSwish(),
       .inputs = {seven},
       .bound = kFunction,
       .expected = {{0, -0.208333, -0.333333, -0.135, 0.165, 0.666667, 2.29167}}},
      {.name = "hard_swish at its corners",
       .op = ops::HardSwish(),
       .inputs = {at({-3, 3})},
       .bound = kFunction,
       .expected = {{0, 3}},
       .expected_gradient = {0, 1},
       .check_gradient = false},
      {.name = "hard_sigmoid at its corners",
       .op = ops::HardSigmoid{.alpha = 0.25f, .beta = 0.5f},
       .inputs = {at({-2, 2, 1})},
       .bound = kFunction,
       .expected = {{0, 1, 0.75}},
       .expected_gradient = {0, 0, 0.25},
       .check_gradient = false},
      {.name = "softplus stated",
       .op = ops::Softplus(),
       .inputs = {at({-40, 25, 1000, -1000})},
       .bound = kFunction,
       .expected = {{4.24835e-18, 25, 1000, 0}},
       .expected_gradient = {4.24835e-18, 1, 1, 0},
       .check_gradient = false},
      {.name = "sigmoid at its ends",
       .op = ops::Sigmoid(),
       .inputs = {at({-1000, 1000, 0})},
       .bound = kFunction,
       .expected = {{0, 1, 0.5}},
       .expected_gradient = {0, 0, 0.25},
       .check_gradient = false},
      {.name = "celu stated",
       .op = ops::Celu{.alpha = 2},
       .inputs = {at({-1, 3})},
       .bound = kFunction,
       .expected = {{-0.786939, 3}}},
      {.name = "celu at its corner",
       .op = ops::Celu{.alpha = 2},
       .inputs = {at({0})},
       .bound = kFunction,
       .expected = {{0}},
       .expected_gradient = {1},
       .check_gradient = false},
      {.name = "elu at its corner",
       .op = ops::Elu{.alpha = 0.5f},
       .inputs = {at({0, -1})},
       .bound = kFunction,
       .expected = {{0, -0.316060}},
       .expected_gradient = {0.5, 0.183940},
       .check_gradient = false},
      {.name = "selu at its corner",
       .op = ops::Selu(),
       .inputs = {at({0, 1, -1})},
       .bound = kFunction,
       .expected = {{0, 1.050701, -1.111331}},
       .expected_gradient = {1.758099, 1.050701, 0.646769},
       .check_gradient = false},
      {.name = "relu at its corner",
       .op = ops::Relu(),
       .inputs = {at({0, -1, 2})},
       .expected = {{0, 0, 2}},
       .expected_gradient = {0, 0, 1},
       .check_gradient = false},
      {.name = "leaky_relu at its corner",
       .op = ops::LeakyRelu{.slope = 0.25f},
       .inputs = {at({0, -1, 2})},
       .expected = {{0, -0.25, 2}},
       .expected_gradient = {0.25, 0.25, 1},
       .check_gradient = false},
      {.name = "prelu at its corner",
       .op = ops::PRelu(),
       .inputs = {at({0, -1, 2}), at({0.25})},
       .expected = {{0, -0.25, 2}},
       .expected_gradient = {0.25, 0.25, 1},
       .check_gradient = false},
      {.name = "clip at its corners",
       .op = ops::Clip{.low = 0.0f, .high = 6.0f},
       .inputs = {at({0, 6, 3, -1, 7})},
       .expected = {{0, 6, 3, 0, 6}},
       .expected_gradient = {0, 0, 1, 0, 0},
       .check_gradient = false},
      {.name = "clip crossed gives its high",
       .op = ops::Clip{.low = 2.0f, .high = 1.0f},
       .inputs = {at({0, 1.5, 3})},
       .expected = {{1, 1, 1}},
       .check_gradient = false},
      {.name = "clip of infinities",
       .op = ops::Clip{.low = -1.0f, .high = 1.0f},
       .inputs = {at({-kInf, kInf})},
       .expected = {{-1, 1}},
       .check_gradient = false},
      {.name = "clip of ints",
       .op = ops::Clip{.low = -1.0f, .high = 4.0f},
       .inputs = {given(DType::Int64, {4}, {-3, 0, 4, 9})},
       .expected = {{-1, 0, 4, 4}}},
      {.name = "clip from one side",
       .op = ops::Clip{.low = 0.5f, .high = {}},
       .inputs = {floats({17}).away_from({0.5})}},
      {.name = "swish at its ends",
       .op = ops::Swish(),
       .inputs = {at({-1000, 1000})},
       .bound = kFunction,
       .expected = {{0, 1000}},
       .check_gradient = false},
  };
}

}  // namespace

OpCases activation_cases() {
  OpCases cases = stated();
  const InputCase x = floats({}, -4, 4), off_zero = x.away_from({0});
  over_shapes(cases, "relu", ops::Relu(), off_zero, kEqualBits);
  over_shapes(cases, "leaky_relu", ops::LeakyRelu{.slope = 0.2f}, off_zero, kOneRounding);
  over_shapes(cases, "elu", ops::Elu{.alpha = 0.7f}, off_zero, kFunction);
  over_shapes(cases, "selu", ops::Selu(), off_zero, kFunction);
  over_shapes(cases, "celu", ops::Celu{.alpha = 1.5f}, off_zero, kFunction);
  over_shapes(cases, "gelu", ops::Gelu(), x, kFunction);
  over_shapes(cases, "gelu by tanh", ops::Gelu{.tanh_form = true}, x, kFunction);
  over_shapes(cases, "sigmoid", ops::Sigmoid(), x, kFunction);
  over_shapes(cases, "tanh", ops::Tanh(), x, kFunction);
  over_shapes(cases, "softplus", ops::Softplus(), x, kFunction);
  over_shapes(cases, "softsign", ops::Softsign(), off_zero, kFunction);
  over_shapes(cases, "mish", ops::Mish(), x, kFunction);
  over_shapes(cases, "swish", ops::Swish{.alpha = 1.3f}, x, kFunction);
  over_shapes(cases, "hard_sigmoid", ops::HardSigmoid(), x.away_from({-2.5, 2.5}), kFunction);
  over_shapes(cases, "hard_swish", ops::HardSwish(), x.away_from({-3, 3}), kFunction);
  over_shapes(cases, "clip", ops::Clip{.low = -1.0f, .high = 2.0f}, x.away_from({-1, 2}), kEqualBits);
  const std::pair<std::vector<int64_t>, std::vector<int64_t>> kSlopes[] = {
      {{2, 3}, {1}}, {{2, 17}, {17}}, {{2, 3, 5}, {3, 1}}, {{0, 4}, {4}}, {{3, 4}, {3, 4}}, {{7}, {}},
  };
  for (const auto& [lengths, slopes] : kSlopes) {
    InputCase input = off_zero;
    input.lengths = lengths;
    cases.push_back({.name = "prelu " + text_of(lengths) + " " + text_of(slopes),
                     .op = ops::PRelu(),
                     .inputs = {input, floats(slopes, 0.1, 0.5)},
                     .bound = kOneRounding});
  }
  return cases;
}

}  // namespace causeway::tests
