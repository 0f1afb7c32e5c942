#include "causeway/ops/average_pool.h"
#include "tests/ops/case_list.h"
#include "tests/ops/windows_of.h"

namespace causeway::tests {
namespace {

using ops::AveragePool;
using ops::AveragePoolGradient;
using ops::Layout;

/// Over 1 … length, counting the border or not.
OpCase stated(int64_t length, int64_t k, int64_t s, int64_t p, bool counts, std::vector<double> expected) {
  const WindowCase window{.size = {k}, .stride = {s}, .before = {p}, .after = {p}, .ceil_mode = true};
  return {
      .name = "average_pool 1 to " + std::to_string(length) + " window " + window.text() + (counts ? " counting" : ""),
      .op = AveragePool{.window = window.window(), .count_include_pad = counts},
      .inputs = {floats_of({1, length, 1}, one_to(length))},
      .bound = kTotals,
      .expected = {std::move(expected)}};
}

}  // namespace

OpCases average_pool_cases() {
  const WindowCase two{.size = {2, 2}, .stride = {2, 2}, .before = {1, 1}, .after = {1, 1}};
  const InputCase nine = floats_of({1, 3, 3, 1}, one_to(9));
  OpCases cases = {
      stated(5, 2, 2, 0, true, {1.5, 3.5, 5}),
      stated(5, 2, 2, 0, false, {1.5, 3.5, 5}),
      stated(4, 3, 2, 1, true, {1, 3, 2}),
      stated(4, 3, 2, 1, false, {1.5, 3, 4}),
      stated(6, 3, 2, 1, true, {1, 3, 5, 3}),
      stated(6, 3, 2, 1, false, {1.5, 3, 5, 6}),
      stated(5, 2, 3, 1, true, {0.5, 3.5}),
      stated(5, 2, 3, 1, false, {1, 3.5}),
      stated(3, 2, 2, 1, true, {0.5, 2.5}),
      stated(3, 2, 2, 1, false, {1, 2.5}),
      {.name = "average_pool same k3 s2",
       .op = AveragePool{.window = WindowCase{.size = {3}, .stride = {2}, .border = ops::Border::SameUpper}.window()},
       .inputs = {floats_of({1, 4, 1}, one_to(4))},
       .bound = kTotals,
       .expected = {{2, 3.5}}},
      {.name = "average_pool of an image, counting",
       .op = AveragePool{.window = two.window(), .count_include_pad = true},
       .inputs = {nine},
       .bound = kTotals,
       .expected = {{0.25, 1.25, 2.75, 7}}},
      {.name = "average_pool of an image, not counting",
       .op = AveragePool{.window = two.window()},
       .inputs = {nine},
       .bound = kTotals,
       .expected = {{1, 2.5, 5.5, 7}}},
  };
  for (const Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
    for (const bool counts : {false, true}) {
      for (const WindowOver& over : windows_over_places()) {
        const ops::Window window = over.window.window();
        std::vector<int64_t> made;
        for (size_t i = 0; i < window.rank(); ++i) made.push_back(window.output_length(i, over.places[i]).number());
        const int64_t channels = counts ? 3 : 9;
        const std::vector<int64_t> x = lengths_in(layout, 2, over.places, channels);
        const std::string name = text_of(x) + " window " + over.window.text() + (counts ? " counting" : "") +
                                 (layout == Layout::ChannelsFirst ? " first" : "");
        cases.push_back({.name = "average_pool " + name,
                         .op = AveragePool{.window = window, .layout = layout, .count_include_pad = counts},
                         .inputs = {floats(x)},
                         .bound = kTotals});
        cases.push_back(
            {.name = "average_pool_gradient " + name,
             .op = AveragePoolGradient{.window = window, .layout = layout, .count_include_pad = counts},
             .inputs = {floats(lengths_in(layout, 2, made, channels)), known(std::vector<double>(x.begin(), x.end()))},
             .bound = kTotals});
      }
    }
  }
  return cases;
}

}  // namespace causeway::tests
