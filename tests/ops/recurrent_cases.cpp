#include "causeway/ops/recurrent.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

using ops::CellFunction, ops::CellFunctionKind, ops::CellKind, ops::Recurrent, ops::RecurrentGradient;

/// The specification's bound for up to 64 steps.
constexpr Bound kSteps = {.relative = 1e-5, .absolute = 2e-6};
/// Totals over rows and steps of what such walks give.
constexpr Bound kStepsBack = {.relative = 2e-5, .absolute = 2e-5};

struct Sizes {
  int64_t batch, steps, hidden;
};

InputCase truths(std::vector<int64_t> lengths, std::vector<double> numbers) {
  return given(DType::Bool, std::move(lengths), std::move(numbers));
}

/// A mask with holes, rows that end early, and a row that has no real step.
InputCase holes(const Sizes& sizes) {
  std::vector<double> numbers;
  for (int64_t n = 0; n < sizes.batch; ++n) {
    for (int64_t t = 0; t < sizes.steps; ++t) numbers.push_back(n % 3 == 2 ? 0 : (t + 2 * n) % 3 != 1);
  }
  return truths({sizes.batch, sizes.steps}, numbers);
}

/// What is given besides a and the weight.
struct Given {
  bool bias = false, state = false, mask = false;
};

OpCase forward(std::string name, const Recurrent& op, const Sizes& sizes, const Given& has) {
  const auto& [batch, steps, hidden] = sizes;
  const InputCase state = has.state ? floats({batch, hidden}, -1, 1) : absent();
  OpCase one{.name = std::move(name),
             .op = op,
             .inputs = {floats({batch, steps, op.gates() * hidden}), floats({hidden, op.gates() * hidden}, -0.6, 0.6),
                        has.bias ? floats({op.gates() * hidden}, -0.5, 0.5) : absent(), state,
                        has.mask ? holes(sizes) : absent()},
             .bound = kSteps,
             .gradient_from = {0, 1}};
  if (op.cell == CellKind::Lstm) {
    one.inputs.push_back(state);
    one.gradient_from.push_back(3);
  }
  return one;
}

OpCase backward(std::string name, const Recurrent& op, const Sizes& sizes, const Given& has) {
  const auto& [batch, steps, hidden] = sizes;
  const InputCase state = floats({batch, hidden}, -1, 1), initial = has.state ? state : absent();
  OpCase one{
      .name = std::move(name),
      .op = RecurrentGradient{.of = op},
      .inputs = {floats({batch, steps, hidden}, -1, 1), has.state ? state : absent(),
                 // Values of gates in their range.
                 floats({batch, steps, op.kept_blocks() * hidden}, 0.1, 0.9), floats({batch, steps, hidden}, -1, 1),
                 floats({hidden, op.gates() * hidden}, -0.6, 0.6), initial, has.mask ? holes(sizes) : absent()},
      .bound = kStepsBack};
  if (op.cell == CellKind::Lstm) one.inputs.insert(one.inputs.end(), {initial, has.bias ? state : absent()});
  return one;
}

struct CellRow {
  const char* name;
  CellKind cell;
  bool reset_after;
};
constexpr CellRow kCells[] = {{"lstm", CellKind::Lstm, true},
                              {"gru", CellKind::Gru, true},
                              {"gru before", CellKind::Gru, false},
                              {"simple_rnn", CellKind::SimpleRnn, true}};

void over_sizes(OpCases& cases) {
  struct Row {
    const char* name;
    Sizes sizes;
    Given has;
  };
  const Row kRows[] = {
      {"one of each", {1, 1, 1}, {}},
      {"primes", {3, 5, 7}, {.bias = true, .state = true}},
      {"just off a vector", {2, 3, 17}, {.bias = true}},
      {"a vector", {5, 4, 16}, {.bias = true}},
      {"states alone", {2, 3, 3}, {.state = true}},
      {"holes", {4, 7, 3}, {.bias = true, .mask = true}},
      {"holes and states", {4, 6, 5}, {.bias = true, .state = true, .mask = true}},
      {"many rows", {33, 2, 3}, {.bias = true, .state = true}},
      {"no step", {2, 0, 3}, {.bias = true, .state = true}},
      {"no row", {0, 3, 2}, {.bias = true}},
      {"sixty-four steps", {1, 64, 2}, {.bias = true}},
  };
  for (const CellRow& cell : kCells) {
    for (const Row& row : kRows) {
      for (const bool reverse : {false, true}) {
        const std::string of = std::string(cell.name) + ", " + row.name + (reverse ? ", reverse" : "");
        const Recurrent op{.cell = cell.cell, .reset_after = cell.reset_after, .reverse = reverse};
        cases.push_back(forward("recurrent " + of, op, row.sizes, row.has));
        cases.push_back(backward("recurrent_gradient " + of, op, row.sizes, row.has));
        if (!row.has.mask) continue;
        Recurrent repeats = op;
        repeats.repeat_masked = true;
        cases.push_back(forward("recurrent " + of + ", repeated", repeats, row.sizes, row.has));
        cases.push_back(backward("recurrent_gradient " + of + ", repeated", repeats, row.sizes, row.has));
      }
    }
    // More steps of all rows than an engine may gather at once, the rows' first steps anywhere among them.
    for (const bool reverse : {false, true}) {
      const Recurrent op{.cell = cell.cell, .reset_after = cell.reset_after, .reverse = reverse};
      for (const bool state : {false, true}) {
        const std::string of = std::string(cell.name) + ", many steps" + (state ? ", states" : "");
        cases.push_back(backward("recurrent_gradient " + of + (reverse ? ", reverse" : ""), op, {9, 37, 5},
                                 {.bias = true, .state = state}));
      }
    }
  }
}

void over_functions(OpCases& cases) {
  const auto words = words_of(CellFunctionKind{});
  for (size_t i = 0; i < words.size(); ++i) {
    const auto kind = static_cast<CellFunctionKind>(i);
    const CellFunction function{.kind = kind, .alpha = 0.35f, .beta = 0.4f};
    for (const CellRow& cell : kCells) {
      const std::string of = std::string(cell.name) + " of " + std::string(words[i]);
      const Given has{.bias = true, .state = true};
      // Short, and small weights: unbounded functions grow from step to step, and corners are rarely met.
      // e^(o·e^c) grows too fast for a difference to say its slope.
      const bool grows = kind == CellFunctionKind::Exponential;
      const Recurrent both{.cell = cell.cell,
                           .reset_after = cell.reset_after,
                           .activation = function,
                           .recurrent_activation = grows ? CellFunction{.kind = CellFunctionKind::Sigmoid} : function};
      OpCase one = forward("recurrent " + of, both, {2, 2, 3}, has);
      one.inputs[0] = floats(one.inputs[0].lengths, 0.1, 0.3);
      one.inputs[1] = floats(one.inputs[1].lengths, -0.02, 0.02);
      one.inputs[2] = floats(one.inputs[2].lengths, -0.02, 0.02);
      cases.push_back(one);
      OpCase back = backward("recurrent_gradient " + of, both, {2, 3, 3}, has);
      back.bound = {.relative = 1e-4, .absolute = 1e-4};
      cases.push_back(back);
    }
  }
}

// One unit, one input: what network.md states, a = x·W_ih + b_ih worked out.

InputCase of_input(const std::vector<double>& x, const std::vector<double>& weight, const std::vector<double>& bias) {
  std::vector<double> a;
  for (const double step : x) {
    for (size_t g = 0; g < weight.size(); ++g) a.push_back(step * weight[g] + bias[g]);
  }
  return floats_of({1, static_cast<int64_t>(x.size()), static_cast<int64_t>(weight.size())}, a);
}

void stated(OpCases& cases) {
  const std::vector<double> x = {1, -0.5, 2}, gru_weight = {0.5, -0.3, 0.8}, gru_bias = {0.05, 0.1, -0.1};
  cases.push_back({.name = "recurrent stated, lstm",
                   .op = Recurrent{},
                   .inputs = {of_input(x, {0.5, -0.3, 0.8, 0.2}, {0.05, 0.1, -0.1, 0.2}),
                              floats_of({1, 4}, {0.1, 0.4, -0.2, 0.6}), floats_of({4}, {0, 0.2, 0.1, -0.05})},
                   .bound = kSteps,
                   .expected = {{0.233384, 0.0411174, 0.392688}, {0.392688}},
                   .gradient_from = {0, 1, 3}});
  const InputCase weight = floats_of({1, 3}, {0.1, 0.4, -0.7}), bias = floats_of({3}, {0, 0.2, 0.3});
  cases.push_back({.name = "recurrent stated, gru",
                   .op = Recurrent{.cell = CellKind::Gru},
                   .inputs = {of_input(x, gru_weight, gru_bias), weight, bias},
                   .bound = kSteps,
                   .expected = {{0.355756, 0.0711283, 0.560556}, {0.560556}},
                   .gradient_from = {0, 1}});
  cases.push_back({.name = "recurrent stated, gru before",
                   .op = Recurrent{.cell = CellKind::Gru, .reset_after = false},
                   .inputs = {of_input(x, gru_weight, gru_bias), weight, bias},
                   .bound = kSteps,
                   .expected = {{0.380797, 0.135755, 0.586459}, {0.586459}},
                   .gradient_from = {0, 1}});
  cases.push_back({.name = "recurrent stated, simple_rnn",
                   .op = Recurrent{.cell = CellKind::SimpleRnn},
                   .inputs = {of_input(x, {0.5}, {0.05}), floats_of({1, 1}, {0.1}), floats_of({1}, {0})},
                   .bound = kSteps,
                   .expected = {{0.500520, -0.148834, 0.775952}, {0.775952}},
                   .gradient_from = {0, 1}});
  struct Row {
    const char* name;
    std::vector<double> mask;
    bool reverse, repeat;
    std::vector<double> steps;
    double last;
  };
  const Row kRows[] = {
      {"third step masked", {1, 1, 0}, false, false, {0.355756, 0.655655, 0}, 0.655655},
      {"third step masked and repeated", {1, 1, 0}, false, true, {0.355756, 0.655655, 0.655655}, 0.655655},
      {"length two, backwards", {1, 1, 0}, true, false, {0.553547, 0.538903, 0}, 0.553547},
      {"length two, backwards and repeated", {1, 1, 0}, true, true, {0.553547, 0.538903, 0}, 0.553547},
      {"middle step masked", {1, 0, 1}, false, false, {0.355756, 0, 0.938997}, 0.938997},
      {"no real step", {0, 0, 0}, false, true, {0, 0, 0}, 0},
  };
  for (const Row& row : kRows) {
    cases.push_back(
        {.name = std::string("recurrent stated, gru, ") + row.name,
         .op = Recurrent{.cell = CellKind::Gru, .reverse = row.reverse, .repeat_masked = row.repeat},
         .inputs = {of_input({1, 2, 9}, gru_weight, gru_bias), weight, bias, absent(), truths({1, 3}, row.mask)},
         .bound = kSteps,
         .expected = {row.steps, {row.last}},
         .gradient_from = {0, 1}});
  }
  cases.push_back({.name = "recurrent of no real step keeps the initial state",
                   .op = Recurrent{.repeat_masked = true},
                   .inputs = {floats({1, 2, 4}), floats({1, 4}), absent(), floats_of({1, 1}, {0.25}),
                              truths({1, 2}, {0, 0}), floats_of({1, 1}, {-0.5})},
                   .bound = kSteps,
                   .expected = {{0, 0}, {0.25}, std::vector<double>(10, 0.0), {-0.5}},
                   .gradient_from = {0, 1, 3}});
}

}  // namespace

OpCases recurrent_cases() {
  OpCases cases;
  stated(cases);
  over_sizes(cases);
  over_functions(cases);
  return cases;
}

}  // namespace causeway::tests
