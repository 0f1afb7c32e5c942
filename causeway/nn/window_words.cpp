#include "causeway/nn/window_words.h"

namespace causeway::nn {
namespace {

std::vector<int64_t> positive(const PerAxis& setting, size_t axes, std::string_view name) {
  std::vector<int64_t> numbers = setting.over(axes, name);
  for (const int64_t number : numbers) {
    if (number < 1) unfit("'" + std::string(name) + "' is " + std::to_string(number) + ", and at least 1 is read.");
  }
  return numbers;
}

}  // namespace

ops::Window window_of(size_t axes, const PerAxis& size, const PerAxis& strides, const PerAxis& dilation,
                      const Padding& padding, bool ceil_mode, bool causal) {
  ops::Window window = ops::Window::of(positive(size, axes, "window"));
  window.stride = positive(strides, axes, "strides");
  window.dilation = positive(dilation, axes, "dilation_rate");
  window.check();  // what is worked out of its sizes below passes no int64
  window.ceil_mode = ceil_mode;
  switch (padding.kind) {
    case Padding::Kind::Valid:
      break;
    case Padding::Kind::Same:
      window.border = ops::Border::SameUpper;
      break;
    case Padding::Kind::Causal:
      if (!causal || axes != 1) unfit("'padding' is \"causal\", and only a convolution of one axis has such a border.");
      window.before[0] = window.reach(0) - 1;
      break;
    case Padding::Kind::Stated: {
      const auto sides = padding.over(axes, "padding");
      for (size_t axis = 0; axis < axes; ++axis) {
        window.before[axis] = sides[axis].first;
        window.after[axis] = sides[axis].second;
      }
      break;
    }
  }
  if (ceil_mode && (padding.kind == Padding::Kind::Same || padding.kind == Padding::Kind::Causal)) {
    unfit("'ceil_mode' goes with a stated border, and 'padding' is a word here.");
  }
  return window;
}

void expect_places(const Value& x, size_t axes) {
  if (!x.shape().has_rank() || x.shape().rank() == axes + 2) return;
  constexpr std::string_view kWanted[] = {"a series, [N, L, C]", "images, [N, H, W, C]", "volumes, [N, D, H, W, C]"};
  unfit("it is handed " + x.shape().text() + ", and takes " + std::string(kWanted[axes - 1]) + ".");
}

}  // namespace causeway::nn
