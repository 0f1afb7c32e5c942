#include <limits>

#include "causeway/ops/max_pool.h"
#include "tests/ops/case_list.h"
#include "tests/ops/windows_of.h"

namespace causeway::tests {
namespace {

using ops::Layout;
using ops::MaxPool;
using ops::MaxPoolGradient;

/// Over 1 … length.
OpCase stated(const WindowCase& window, int64_t length, std::vector<double> expected) {
  return {.name = "max_pool 1 to " + std::to_string(length) + " window " + window.text(),
          .op = MaxPool{.window = window.window()},
          .inputs = {floats_of({1, length, 1}, one_to(length))},
          .expected = {std::move(expected)}};
}

WindowCase floor_window(int64_t k, int64_t s, int64_t p) {
  return {.size = {k}, .stride = {s}, .before = {p}, .after = {p}};
}
WindowCase ceil_window(int64_t k, int64_t s, int64_t p) {
  WindowCase window = floor_window(k, s, p);
  window.ceil_mode = true;
  return window;
}

}  // namespace

OpCases max_pool_cases() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  OpCases cases = {
      stated(floor_window(2, 2, 0), 5, {2, 4}),
      stated(ceil_window(2, 2, 0), 5, {2, 4, 5}),
      stated(floor_window(3, 2, 1), 4, {2, 4}),
      stated(ceil_window(3, 2, 1), 4, {2, 4, 4}),
      stated(floor_window(3, 2, 1), 6, {2, 4, 6}),
      stated(ceil_window(3, 2, 1), 6, {2, 4, 6, 6}),
      stated(floor_window(2, 3, 1), 5, {1, 4}),
      stated(ceil_window(2, 3, 1), 5, {1, 4}),
      stated(floor_window(2, 2, 1), 3, {1, 3}),
      stated(ceil_window(2, 2, 1), 3, {1, 3}),
      stated({.size = {2}, .stride = {2}, .dilation = {2}, .ceil_mode = true}, 5, {3, 5}),
      stated({.size = {2}, .stride = {2}, .dilation = {2}, .before = {1}, .after = {1}, .ceil_mode = true}, 5,
             {2, 4, 4}),
      {.name = "max_pool: the border never wins",
       .op = MaxPool{.window = floor_window(3, 1, 1).window()},
       .inputs = {floats_of({1, 3, 1}, {-3, -2, -kInf})},
       .expected = {{-2, -2, -2}},
       .check_gradient = false},
      {.name = "max_pool: nan wins",
       .op = MaxPool{.window = floor_window(2, 2, 0).window()},
       .inputs = {floats_of({1, 4, 1}, {1, kNaN, 2, 3})},
       .expected = {{kNaN, 3}},
       .check_gradient = false},
      {.name = "max_pool: the first largest has the gradient",
       .op = MaxPool{.window = floor_window(3, 1, 0).window()},
       .inputs = {floats_of({1, 5, 1}, {1, 4, 4, 2, 4})},
       .expected = {{4, 4, 4}},
       .expected_gradient = {0, 2, 1, 0, 0},
       .check_gradient = false},
  };
  for (const Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
    for (const int64_t channels : {1, 3, 17}) {
      for (const WindowOver& over : windows_over_places()) {
        const ops::Window window = over.window.window();
        std::vector<int64_t> made;
        for (size_t i = 0; i < window.rank(); ++i) made.push_back(window.output_length(i, over.places[i]).number());
        const std::vector<int64_t> x = lengths_in(layout, 2, over.places, channels);
        const std::string name =
            text_of(x) + " window " + over.window.text() + (layout == Layout::ChannelsFirst ? " first" : "");
        // Differences of each of hundreds of elements say no more than those of a few channels.
        cases.push_back({.name = "max_pool " + name,
                         .op = MaxPool{.window = window, .layout = layout},
                         .inputs = {floats(x).all_apart()},
                         .check_gradient = channels < 17});
        cases.push_back({.name = "max_pool_gradient " + name,
                         .op = MaxPoolGradient{.window = window, .layout = layout},
                         .inputs = {floats(lengths_in(layout, 2, made, channels)), floats(x).all_apart()},
                         .bound = {.relative = 4 * kRounding, .absolute = 8 * kRounding}});
      }
    }
  }
  return cases;
}

}  // namespace causeway::tests
