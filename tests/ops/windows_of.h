#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "causeway/ops/window.h"
#include "causeway/tensor/shape.h"

namespace causeway::tests {

/// A window as the tables of the specification give one: stride, dilation and border are 1, 1 and none unless said, for
/// every axis.
struct WindowCase {
  std::vector<int64_t> size, stride = {}, dilation = {}, before = {}, after = {};
  ops::Border border = ops::Border::Stated;
  bool ceil_mode = false;

  ops::Window window() const {
    ops::Window made = ops::Window::of(size);
    if (!stride.empty()) made.stride = stride;
    if (!dilation.empty()) made.dilation = dilation;
    if (!before.empty()) made.before = before;
    if (!after.empty()) made.after = after;
    made.border = border;
    made.ceil_mode = ceil_mode;
    return made;
  }

  std::string text() const {
    std::string text = text_of(size);
    if (!stride.empty()) text += " stride " + text_of(stride);
    if (!dilation.empty()) text += " dilation " + text_of(dilation);
    if (!before.empty() || !after.empty()) text += " border " + text_of(before) + text_of(after);
    if (border != ops::Border::Stated) text += " " + std::string(words_of(border)[static_cast<size_t>(border)]);
    if (ceil_mode) text += " ceil";
    return text;
  }
};

/// Lengths of rows, places and channels in a layout's order.
inline std::vector<int64_t> lengths_in(ops::Layout layout, int64_t rows, const std::vector<int64_t>& places,
                                       int64_t channels) {
  std::vector<int64_t> lengths = {rows};
  if (layout == ops::Layout::ChannelsFirst) lengths.push_back(channels);
  lengths.insert(lengths.end(), places.begin(), places.end());
  if (layout == ops::Layout::ChannelsLast) lengths.push_back(channels);
  return lengths;
}

/// 1 … n.
inline std::vector<double> one_to(int64_t n) {
  std::vector<double> numbers;
  for (int64_t i = 1; i <= n; ++i) numbers.push_back(static_cast<double>(i));
  return numbers;
}

/// Windows that pools and convolutions share, with the places they are laid over.
struct WindowOver {
  WindowCase window;
  std::vector<int64_t> places;
};
inline std::vector<WindowOver> windows_over_places() {
  using ops::Border;
  return {
      {{.size = {1}}, {5}},
      {{.size = {3}}, {7}},
      {{.size = {3}, .stride = {2}}, {17}},
      {{.size = {2}, .stride = {3}}, {11}},
      {{.size = {3}, .dilation = {2}}, {9}},
      {{.size = {3}, .before = {2}, .after = {1}}, {5}},
      {{.size = {3}, .stride = {2}, .border = Border::SameUpper}, {6}},
      {{.size = {2}, .border = Border::SameLower}, {7}},
      {{.size = {3}, .stride = {2}, .before = {1}, .after = {1}, .ceil_mode = true}, {6}},
      {{.size = {2}, .stride = {3}, .before = {1}, .after = {1}, .ceil_mode = true}, {5}},
      {{.size = {3, 3}}, {5, 7}},
      {{.size = {3, 3}, .before = {1, 1}, .after = {1, 1}}, {5, 4}},
      {{.size = {2, 3}, .stride = {2, 1}, .before = {1, 0}, .after = {0, 1}}, {4, 5}},
      {{.size = {1, 1}}, {3, 3}},
      {{.size = {3, 3}, .stride = {2, 2}, .border = Border::SameUpper}, {7, 6}},
      {{.size = {3, 2}, .dilation = {2, 3}, .border = Border::SameLower}, {7, 6}},
      {{.size = {2, 2, 2}, .stride = {1, 2, 1}}, {3, 4, 2}},
      {{.size = {2, 3, 1}, .before = {1, 1, 0}, .after = {0, 1, 0}}, {3, 3, 2}},
  };
}

}  // namespace causeway::tests
