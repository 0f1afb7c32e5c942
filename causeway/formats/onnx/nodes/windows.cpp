#include <algorithm>
#include <numeric>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

using ops::Layout;
using ops::Window;

std::vector<int64_t> an_axis(NodeReader& node, const char* name, size_t rank, int64_t absent) {
  std::vector<int64_t> list = node.integers(name).value_or(std::vector<int64_t>(rank, absent));
  if (list.size() != rank) {
    unfit("'" + std::string(name) + "' is " + text_of(list) + ", and its window has " + std::to_string(rank) +
          " axes.");
  }
  return list;
}

// The window's size as stated, or else the weight's.
std::vector<int64_t> size_of_window(NodeReader& node, const Value& weight) {
  std::optional<std::vector<int64_t>> stated = node.integers("kernel_shape");
  if (weight && weight.shape().has_rank()) {
    const Shape& shape = weight.shape();
    if (shape.rank() < 3) unfit("its weight is " + shape.text() + ", and one has rank 3 to 5.");
    std::vector<int64_t> taps;
    for (size_t axis = 2; axis < shape.rank(); ++axis) {
      if (!shape[axis].is_number()) unfit("its weight is " + shape.text() + ", whose lengths are numbers.");
      taps.push_back(shape[axis].number());
    }
    if (stated && *stated != taps) {
      unfit("'kernel_shape' is " + text_of(*stated) + ", and its weight is " + shape.text() + ".");
    }
    stated = taps;
  }
  if (!stated) not_known_yet("'kernel_shape' is absent, and the weight's shape is not known.");
  if (stated->empty() || stated->size() > 3) {
    unfit("its window has " + std::to_string(stated->size()) + " axes, and 1 to 3 are read.");
  }
  return *stated;
}

void read_border(NodeReader& node, Window& window) {
  const std::string auto_pad = node.text("auto_pad", "NOTSET");
  const size_t rank = window.rank();
  const std::vector<int64_t> pads = an_axis(node, "pads", 2 * rank, 0);
  const bool is_padded = std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; });
  if (std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad < 0; })) {
    unfit("'pads' is " + text_of(pads) + ", and a window has no border of less than nothing.");
  }
  if (auto_pad != "NOTSET" && auto_pad != "" && is_padded) {
    unfit("'auto_pad' is '" + auto_pad + "', and 'pads' states a border as well.");
  }
  window.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
  window.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
  if (auto_pad == "SAME_UPPER") {
    window.border = ops::Border::SameUpper;
  } else if (auto_pad == "SAME_LOWER") {
    window.border = ops::Border::SameLower;
  } else if (auto_pad != "NOTSET" && auto_pad != "VALID" && auto_pad != "") {
    unfit("'auto_pad' is '" + auto_pad + "'; NOTSET, VALID, SAME_UPPER and SAME_LOWER are read.");
  }
}

Window read_window(NodeReader& node, const Value& weight, bool dilates) {
  Window window;
  window.size = size_of_window(node, weight);
  window.stride = an_axis(node, "strides", window.rank(), 1);
  window.dilation = dilates ? an_axis(node, "dilations", window.rank(), 1) : std::vector<int64_t>(window.rank(), 1);
  read_border(node, window);
  window.check();
  return window;
}

void read_ceil_mode(NodeReader& node, Window& window) {
  // A SAME border makes ceil(length / stride) places as it is.
  window.ceil_mode = node.opset() >= 10 && node.flag("ceil_mode", false) && window.border == ops::Border::Stated;
}

std::vector<int64_t> place_axes(const Value& x) {
  if (!x.shape().has_rank()) not_known_yet("the rank of x is not known.");
  if (x.shape().rank() < 3) unfit("x is " + x.shape().text() + ", and it has rows, channels and places.");
  std::vector<int64_t> axes(x.shape().rank() - 2);
  std::iota(axes.begin(), axes.end(), int64_t{2});
  return axes;
}

}  // namespace

Values read_conv(NodeReader& node) {
  node.expect_inputs(2, 3);
  const Value weight = node.input(1);
  const Window window = read_window(node, weight, true);
  const int64_t groups = node.integer("group", 1);
  const Dim made = weight.shape().has_rank() ? weight.shape()[0] : Dim();
  if (groups < 1 || (made.is_number() && made.number() % groups != 0)) {
    unfit("'group' is " + std::to_string(groups) + ", and its " + made.text() + " channels do not divide by it.");
  }
  Values inputs{node.input(0), weight};
  if (node.has_input(2)) inputs.push_back(node.input(2));
  return node.graph().add(ops::Conv{.window = window, .groups = groups, .layout = Layout::ChannelsFirst}, inputs);
}

Values read_max_pool(NodeReader& node) {
  node.expect_inputs(1, 1);
  Window window = read_window(node, {}, node.opset() >= 10);
  read_ceil_mode(node, window);
  if (node.opset() >= 8) node.ignore("storage_order");  // orders the indices, which are not made
  return node.graph().add(ops::MaxPool{.window = window, .layout = Layout::ChannelsFirst}, {node.input(0)});
}

Values read_average_pool(NodeReader& node) {
  node.expect_inputs(1, 1);
  Window window = read_window(node, {}, node.opset() >= 19);
  read_ceil_mode(node, window);
  const bool counts = node.opset() >= 7 && node.flag("count_include_pad", false);
  const ops::AveragePool pool{.window = window, .layout = Layout::ChannelsFirst, .count_include_pad = counts};
  return node.graph().add(pool, {node.input(0)});
}

Values read_global_average_pool(NodeReader& node) {
  node.expect_inputs(1, 1);
  return {ops::reduce_mean(node.input(0), place_axes(node.input(0)), true)};
}

Values read_global_max_pool(NodeReader& node) {
  node.expect_inputs(1, 1);
  return {ops::reduce_max(node.input(0), place_axes(node.input(0)), true)};
}

namespace {

// Along one axis: the border that is taken off what the windows spread, and the cells of zeros behind it.
struct Spread {
  int64_t before = 0, after = 0, zeros = 0;
};

// total = stride * (L - 1) + output_padding + reach - output length, split in two; a negative one is zeros at the end.
Spread split_total(int64_t total, bool odd_at_end) {
  if (total < 0) return {0, 0, -total};
  const int64_t half = total / 2;
  return odd_at_end ? Spread{half, total - half, 0} : Spread{total - half, half, 0};
}

// What of each axis is taken off: as 'pads' says, or so that the output has the lengths that 'auto_pad' or
// 'output_shape' says.
std::vector<Spread> read_spread(NodeReader& node, const Window& window, const std::vector<int64_t>& further,
                                const Shape& x) {
  const std::optional<std::vector<int64_t>> stated = node.integers("output_shape");
  const bool is_same = window.border != ops::Border::Stated;
  if (stated && stated->size() != window.rank()) {
    unfit("'output_shape' is " + text_of(*stated) + ", and its window has " + std::to_string(window.rank()) + " axes.");
  }
  std::vector<Spread> all;
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    const int64_t stride = window.stride[axis], reach = window.reach(axis);
    if (stated) {
      const std::optional<int64_t> length = x.has_rank() ? x[axis + 2].if_number() : std::nullopt;
      if (!length) not_known_yet("'output_shape' is stated, and x is " + x.text() + ", whose places are not known.");
      const int64_t total = stride * (*length - 1) + further[axis] + reach - (*stated)[axis];
      all.push_back(split_total(total, window.border == ops::Border::SameUpper));
    } else if (is_same) {
      all.push_back(split_total(further[axis] + reach - stride, window.border == ops::Border::SameUpper));
    } else {
      all.push_back({window.before[axis], window.after[axis], 0});
    }
    // output_padding makes cells behind the last that a window reaches.
    all.back().zeros += further[axis];
    const int64_t overlap = std::min(all.back().zeros, all.back().after);
    all.back().zeros -= overlap;
    all.back().after -= overlap;
  }
  return all;
}

}  // namespace

// Each cell of x spreads its window over the output: the gradient of a convolution to its input.
Values read_conv_transpose(NodeReader& node) {
  node.expect_inputs(2, 3);
  const Value x = node.input(0), weight = node.input(1);
  Window window = read_window(node, weight, true);
  const int64_t groups = node.integer("group", 1);
  const std::vector<int64_t> further = an_axis(node, "output_padding", window.rank(), 0);
  if (std::any_of(further.begin(), further.end(), [](int64_t cells) { return cells < 0; })) {
    unfit("'output_padding' is " + text_of(further) + ", and no cells are taken off by it.");
  }
  if (known_rank(x) != window.rank() + 2 || known_rank(weight) != window.rank() + 2) {
    unfit("x is " + x.shape().text() + " and its weight " + weight.shape().text() + ", and its window has " +
          std::to_string(window.rank()) + " axes.");
  }
  const Dim channels = weight.shape()[1] * Dim(groups);
  if (!channels.is_number()) unfit("its weight is " + weight.shape().text() + ", whose channels are a number.");
  const std::vector<Spread> spread = read_spread(node, window, further, x.shape());
  window.border = ops::Border::Stated;
  Values lengths{lengths_of(x, {Length::axis(0)})};
  lengths.push_back(ops::integers(node.graph(), {channels.number()}));
  std::vector<int64_t> zeros(2 * (window.rank() + 2), 0);
  bool has_zeros = false;
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    window.before[axis] = spread[axis].before;
    window.after[axis] = spread[axis].after;
    const int64_t stride = window.stride[axis];
    // As many cells as make x again by a convolution of that stride; the others are added as zeros.
    const int64_t inside = std::min(spread[axis].zeros, stride - 1);
    const int64_t behind = window.reach(axis) - stride - spread[axis].before - spread[axis].after + inside;
    const Value strides = ops::mul(lengths_of(x, {Length::axis(axis + 2)}), ops::integers(node.graph(), {stride}));
    lengths.push_back(ops::add(strides, ops::integers(node.graph(), {behind})));
    zeros[window.rank() + 2 + axis + 2] = spread[axis].zeros - inside;
    has_zeros = has_zeros || spread[axis].zeros > inside;
  }
  const ops::ConvInputGradient op{.window = window, .groups = groups, .layout = Layout::ChannelsFirst};
  Value y = node.graph().add1(op, {x, weight, ops::concat(lengths, 0)});
  if (has_zeros) y = node.graph().add1(ops::Pad{}, {y, ops::integers(node.graph(), zeros)});
  if (!node.has_input(2)) return {y};
  const Value bias = node.input(2);
  if (bias.shape().has_rank() && (bias.shape().rank() != 1 || bias.shape()[0].equals(channels) == false)) {
    unfit("its bias is " + bias.shape().text() + ", and " + channels.text() + " channels are made.");
  }
  std::vector<int64_t> places(window.rank());
  std::iota(places.begin(), places.end(), int64_t{1});
  return {ops::add(y, ops::unsqueeze(bias, places))};
}

// Local response normalisation: x / (bias + alpha * mean of the squares of its channel's neighbours) ^ beta, cells
// outside the channels counting as 0. The channels are made an axis of places, so that a pooling takes the mean.
Values read_lrn(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  const std::optional<int64_t> size = node.integer("size");
  if (!size || *size < 1) unfit("'size' is absent or below 1.");
  if (known_rank(x) < 3) unfit("x is " + x.shape().text() + ", and it has rows, channels and places.");
  const float alpha = node.real("alpha", 1e-4f), beta = node.real("beta", 0.75f), bias = node.real("bias", 1.0f);
  std::vector<size_t> places;
  for (size_t axis = 2; axis < known_rank(x); ++axis) places.push_back(axis);
  const Value rows =
      reshaped(ops::square(x), {Length::axis(0), Length::of(1), Length::axis(1), Length::product(places)});
  Window window = Window::of({*size, 1});
  window.before = {(*size - 1) / 2, 0};
  window.after = {*size / 2, 0};
  const ops::AveragePool pool{.window = window, .layout = Layout::ChannelsFirst, .count_include_pad = true};
  const Value mean = ops::reshape_like(node.graph().add1(pool, {rows}), x);
  return {ops::div(x, ops::pow(ops::shifted(ops::scale(mean, alpha), bias), beta))};
}

}  // namespace causeway::formats::onnx
