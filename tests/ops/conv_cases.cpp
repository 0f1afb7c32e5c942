#include "causeway/ops/conv.h"
#include "tests/ops/case_list.h"
#include "tests/ops/windows_of.h"

namespace causeway::tests {
namespace {

using ops::Border;
using ops::Conv;
using ops::ConvInputGradient;
using ops::ConvWeightGradient;
using ops::Layout;

/// One row, one channel: numbers along one axis.
InputCase series(std::vector<double> numbers) {
  const int64_t count = static_cast<int64_t>(numbers.size());
  return floats_of({1, count, 1}, std::move(numbers));
}
InputCase taps(std::vector<double> numbers) {
  const int64_t count = static_cast<int64_t>(numbers.size());
  return floats_of({count, 1, 1}, std::move(numbers));
}

OpCase forward(const std::string& name, const WindowCase& window, InputCase x, InputCase weight,
               std::vector<double> expected) {
  return {.name = "conv " + name,
          .op = Conv{.window = window.window()},
          .inputs = {std::move(x), std::move(weight)},
          .bound = kTotals,
          .expected = {std::move(expected)}};
}

/// A transposed convolution of 1 2 3 to a length.
OpCase transposed(const std::string& name, const WindowCase& window, std::vector<double> weight, int64_t length,
                  std::vector<double> expected) {
  return {.name = "conv transposed " + name,
          .op = ConvInputGradient{.window = window.window()},
          .inputs = {series({1, 2, 3}), taps(std::move(weight)), known({1, static_cast<double>(length), 1})},
          .bound = kTotals,
          .expected = {std::move(expected)}};
}

OpCases stated() {
  const InputCase four = series({1, 2, 3, 4}), two_ones = taps({1, 1}), three_ones = taps({1, 1, 1});
  return {
      forward("same k3 s2", {.size = {3}, .stride = {2}, .border = Border::SameUpper}, four, three_ones, {6, 7}),
      forward("same k2 s1", {.size = {2}, .border = Border::SameUpper}, four, two_ones, {3, 5, 7, 4}),
      forward("same lower k2 s1", {.size = {2}, .border = Border::SameLower}, four, two_ones, {1, 3, 5, 7}),
      forward("same k3 d2", {.size = {3}, .dilation = {2}, .border = Border::SameUpper}, four, three_ones,
              {4, 6, 4, 6}),
      forward("causal k3 d2", {.size = {3}, .dilation = {2}, .before = {4}}, four, three_ones, {1, 2, 4, 6}),
      forward("causal k2 s2", {.size = {2}, .stride = {2}, .before = {1}}, four, two_ones, {1, 5}),
      forward("2d with a border of one side", {.size = {2, 2}, .stride = {2, 1}, .before = {1, 0}, .after = {0, 1}},
              floats_of({1, 3, 3, 1}, one_to(9)), floats_of({2, 2, 1, 1}, {1, 2, 3, 4}), {11, 18, 9, 67, 77, 33}),
      {.name = "conv groups stated",
       .op = Conv{.window = ops::Window::of({2}), .groups = 2, .layout = Layout::ChannelsFirst},
       .inputs = {floats_of({1, 2, 3}, one_to(6)), floats_of({4, 1, 2}, one_to(8))},
       .bound = kTotals,
       .expected = {{5, 8, 11, 18, 50, 61, 68, 83}}},
      {.name = "conv bias stated",
       .op = Conv{.window = ops::Window::of({1})},
       .inputs = {four, floats_of({1, 1, 2}, {1, 10}), floats_of({2}, {0.5, -1})},
       .bound = kTotals,
       .expected = {{1.5, 9, 2.5, 19, 3.5, 29, 4.5, 39}}},

      // Lengths and borders as the table of the transposed convolution works them out.
      transposed("valid k3 s2", {.size = {3}, .stride = {2}}, {1, 10, 100}, 7, {1, 10, 102, 20, 203, 30, 300}),
      transposed("same k3 s2", {.size = {3}, .stride = {2}, .after = {1}}, {1, 10, 100}, 6, {1, 10, 102, 20, 203, 30}),
      transposed("same k4 s2", {.size = {4}, .stride = {2}, .before = {1}, .after = {1}}, {1, 10, 100, 1000}, 6,
                 {10, 102, 1020, 203, 2030, 300}),
      transposed("same k3 s1 d2", {.size = {3}, .dilation = {2}, .before = {2}, .after = {2}}, {1, 10, 100}, 3,
                 {13, 20, 130}),
      transposed("valid k2 s3", {.size = {2}, .stride = {3}}, {1, 10}, 9, {1, 10, 0, 2, 20, 0, 3, 30, 0}),
      transposed("stated 0 k2 s3", {.size = {2}, .stride = {3}}, {1, 10}, 8, {1, 10, 0, 2, 20, 0, 3, 30}),
      transposed("stated 1 k3 s2 q1", {.size = {3}, .stride = {2}, .before = {1}, .after = {1}}, {1, 10, 100}, 6,
                 {10, 102, 20, 203, 30, 300}),
      transposed("stated 1 k3 s1 d2", {.size = {3}, .dilation = {2}, .before = {1}, .after = {1}}, {1, 10, 100}, 5,
                 {2, 13, 20, 130, 200}),
  };
}

struct Channels {
  int64_t in, out, groups;
};

/// The three ops of one convolution, as they follow from each other.
void add_all(OpCases& cases, const WindowOver& over, Layout layout, int64_t rows, const Channels& channels) {
  const ops::Window window = over.window.window();
  std::vector<int64_t> made, weight = window.size;
  for (size_t i = 0; i < window.rank(); ++i) made.push_back(window.output_length(i, over.places[i]).number());
  if (layout == Layout::ChannelsLast) {
    weight.insert(weight.end(), {channels.in / channels.groups, channels.out});
  } else {
    weight.insert(weight.begin(), {channels.out, channels.in / channels.groups});
  }
  const std::vector<int64_t> x = lengths_in(layout, rows, over.places, channels.in);
  const std::vector<int64_t> y = lengths_in(layout, rows, made, channels.out);
  const auto as_known = [](const std::vector<int64_t>& lengths) {
    return known(std::vector<double>(lengths.begin(), lengths.end()));
  };
  const std::string name = text_of(x) + " " + text_of(weight) + " window " + over.window.text() +
                           (channels.groups > 1 ? " groups " + std::to_string(channels.groups) : "") +
                           (layout == Layout::ChannelsFirst ? " first" : "");
  cases.push_back({.name = "conv " + name,
                   .op = Conv{.window = window, .groups = channels.groups, .layout = layout},
                   .inputs = {floats(x), floats(weight), floats({channels.out})},
                   .bound = kTotals});
  cases.push_back({.name = "conv_input_gradient " + name,
                   .op = ConvInputGradient{.window = window, .groups = channels.groups, .layout = layout},
                   .inputs = {floats(y), floats(weight), as_known(x)},
                   .bound = kTotals});
  cases.push_back({.name = "conv_weight_gradient " + name,
                   .op = ConvWeightGradient{.window = window, .groups = channels.groups, .layout = layout},
                   .inputs = {floats(x), floats(y), as_known(weight)},
                   .bound = kTotals});
}

}  // namespace

OpCases conv_cases() {
  OpCases cases = stated();
  for (const Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
    for (const WindowOver& over : windows_over_places()) {
      if (!over.window.ceil_mode) add_all(cases, over, layout, 2, {.in = 2, .out = 3, .groups = 1});
    }
    const WindowOver three{{.size = {3}, .before = {1}, .after = {1}}, {5}};
    const WindowOver square{{.size = {3, 3}, .before = {1, 1}, .after = {1, 1}}, {4, 3}};
    add_all(cases, three, layout, 1, {.in = 1, .out = 1, .groups = 1});
    add_all(cases, three, layout, 0, {.in = 2, .out = 3, .groups = 1});
    add_all(cases, three, layout, 1, {.in = 7, .out = 9, .groups = 1});
    add_all(cases, square, layout, 1, {.in = 4, .out = 6, .groups = 2});
    add_all(cases, square, layout, 1, {.in = 5, .out = 5, .groups = 5});
    add_all(cases, square, layout, 1, {.in = 3, .out = 6, .groups = 3});
    add_all(cases, square, layout, 1, {.in = 17, .out = 17, .groups = 17});
    add_all(cases, {{.size = {3, 3}, .stride = {2, 2}, .before = {1, 1}, .after = {1, 1}}, {5, 5}}, layout, 1,
            {.in = 9, .out = 9, .groups = 9});
    add_all(cases, {{.size = {1, 1}}, {2, 3}}, layout, 2, {.in = 15, .out = 17, .groups = 1});
  }
  return cases;
}

}  // namespace causeway::tests
