#include <algorithm>
#include <limits>
#include <optional>

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/op_list.h"

// Convolutions and poolings as ONNX's own ops. Most of it is their border: ONNX Runtime answers another shape for
// 'auto_pad' beside a dilation, and fails where a window is shorter than its stride.

namespace causeway::formats::onnx {
namespace {

using ops::Layout;
using ops::Window;

void expect_channels_first(Layout layout) {
  if (layout != Layout::ChannelsFirst) unfit("its channels stand last, and they could not be brought to axis 1.");
}

Dim place_length(const Shape& x, size_t axis) { return x.has_rank() ? x[axis + 2] : Dim(); }

/// The cells of an axis whose length does not matter: of a stride of 1, or of a length that is known.
std::optional<Window::Sides> told_sides(const Window& window, size_t axis, const Dim& length) {
  if (window.border == ops::Border::Stated || length.is_number()) {
    return window.sides(axis, length.if_number().value_or(1));
  }
  if (window.stride[axis] == 1) return window.sides(axis, int64_t{1} << 20);
  return std::nullopt;
}

/// The same for a 'same' border that begins alike for every length. What stands behind may then be as long as for the
/// shortest rest: no window more fits in.
std::optional<Window::Sides> sides_of_any_length(const Window& window, size_t axis) {
  const int64_t before = window.sides(axis, 1).before;  // the widest border; the least is that of a length of a stride
  if (window.sides(axis, window.stride[axis]).before != before) return std::nullopt;
  return Window::Sides{before, window.reach(axis) - 1 - before};
}

/// Every axis's cells before, then after; none where one hangs on a length that is open.
std::optional<std::vector<int64_t>> border_in_numbers(const Window& window, const Shape& x, bool of_any_length) {
  std::vector<int64_t> before, after;
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    std::optional<Window::Sides> sides = told_sides(window, axis, place_length(x, axis));
    if (!sides && of_any_length) sides = sides_of_any_length(window, axis);
    if (!sides) return std::nullopt;
    before.push_back(sides->before);
    after.push_back(sides->after);
  }
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

bool is_dilated(const Window& window) {
  return std::any_of(window.dilation.begin(), window.dilation.end(), [](int64_t step) { return step != 1; });
}

bool may_be_auto_pad(const Window& window) {
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    if (window.dilation[axis] != 1 || window.size[axis] < window.stride[axis]) return false;
  }
  return true;
}

/// For Pad, where batch and channels have no border.
std::vector<int64_t> of_all_axes(const std::vector<int64_t>& border) {
  std::vector<int64_t> pads;
  const auto rank = static_cast<std::ptrdiff_t>(border.size() / 2);
  for (const std::ptrdiff_t from : {std::ptrdiff_t{0}, rank}) {
    pads.insert(pads.end(), 2, 0);
    pads.insert(pads.end(), border.begin() + from, border.begin() + from + rank);
  }
  return pads;
}

/// A border that stands before the window's op, in a Pad of its own: in numbers, or worked out of x's lengths when the
/// graph runs.
class BorderApart {
 public:
  BorderApart(NodeWriter& node, const std::vector<int64_t>& border) : node_(node), numbers_(of_all_axes(border)) {}
  BorderApart(NodeWriter& node, const Window& window, const std::string& x) : node_(node) {
    node.require(11, "a border that hangs on a length");
    const Shape& shape = node.value(0).shape();
    std::vector<std::string> before{node.integers({0, 0}, "no_border")}, after = before;
    for (size_t axis = 0; axis < window.rank(); ++axis) {
      if (const auto told = told_sides(window, axis, place_length(shape, axis))) {
        before.push_back(node.integers({told->before}, "border"));
        after.push_back(node.integers({told->after}, "border"));
      } else {
        add_cells(window, axis, x, before, after);
      }
    }
    before.insert(before.end(), after.begin(), after.end());
    list_ = node.add("Concat", before, {integer("axis", 0)});
  }

  std::string around(const std::string& x, float number) {
    if (node_.opset() < 11) return node_.add("Pad", {x}, {list("pads", numbers_), real("value", number)});
    if (list_.empty()) list_ = node_.integers(numbers_, "pads");
    return node_.add("Pad", {x, list_, node_.scalar(number, "border_number")});
  }

 private:
  // What stands there follows from (length - 1) mod stride: taken out of lists that hold it for each.
  void add_cells(const Window& window, size_t axis, const std::string& x, std::vector<std::string>& before,
                 std::vector<std::string>& after) {
    constexpr int64_t kLongestList = 4096;
    const int64_t stride = window.stride[axis];
    if (stride > kLongestList) {
      unfit("its border hangs on an open length, and its stride is " + std::to_string(stride) + ", above " +
            std::to_string(kLongestList) + ". State the length, or the border in numbers.");
    }
    std::vector<int64_t> all_before, all_after;
    for (int64_t length = 1; length <= stride; ++length) {
      const Window::Sides sides = window.sides(axis, length);
      all_before.push_back(sides.before);
      all_after.push_back(sides.after);
    }
    const Attribute first = integer("axis", 0);
    const std::string which = node_.integers({static_cast<int64_t>(axis) + 2}, "axis");
    const std::string length = node_.add("Gather", {node_.add("Shape", {x}), which}, {first});
    const std::string least = node_.add("Sub", {length, node_.integers({1}, "one")});
    const std::string rest = node_.add("Mod", {least, node_.integers({stride}, "stride")});
    before.push_back(node_.add("Gather", {node_.integers(all_before, "before"), rest}, {first}));
    after.push_back(node_.add("Gather", {node_.integers(all_after, "after"), rest}, {first}));
  }

  NodeWriter& node_;
  std::vector<int64_t> numbers_;
  std::string list_;
};

/// The attributes of a window, and its border where that is not among them.
struct Written {
  std::vector<Attribute> attributes;
  std::optional<BorderApart> apart = std::nullopt;
};

/// ONNX Runtime takes no border of a pooling as wide as the window, which a dilated one may have.
bool is_wide(const Window& window, const std::vector<int64_t>& border) {
  for (size_t i = 0; i < border.size(); ++i) {
    if (border[i] >= window.size[i % window.rank()]) return true;
  }
  return false;
}

Written written(NodeWriter& node, const Window& window, bool is_pooling) {
  const Shape& x = node.value(0).shape();
  Written made{{list("kernel_shape", window.size), list("strides", window.stride)}};
  if (!is_pooling || is_dilated(window)) made.attributes.push_back(list("dilations", window.dilation));
  std::optional<std::vector<int64_t>> border = border_in_numbers(window, x, false);
  if (!border && may_be_auto_pad(window)) {
    made.attributes.push_back(text("auto_pad", window.border == ops::Border::SameUpper ? "SAME_UPPER" : "SAME_LOWER"));
    return made;
  }
  if (!border) border = border_in_numbers(window, x, true);
  if (!border) {
    made.apart.emplace(node, window, node.input(0));
  } else if (is_pooling && !window.ceil_mode && is_wide(window, *border)) {
    made.apart.emplace(node, *border);
  } else {
    made.attributes.push_back(list("pads", *border));
  }
  return made;
}

}  // namespace

void write_conv(NodeWriter& node) {
  const auto& conv = node.settings<ops::Conv>();
  expect_channels_first(conv.layout);
  Written made = written(node, conv.window, false);
  made.attributes.push_back(integer("group", conv.groups));
  std::vector<std::string> inputs = node.inputs();
  if (made.apart) inputs[0] = made.apart->around(inputs[0], 0);
  node.give(node.add("Conv", inputs, made.attributes));
}

namespace {

/// ONNX's own shape inference counts a last window that starts behind the input, which PyTorch and the operator's text
/// leave out. So where lengths are known a pooling says its border in full, as far as its last window reaches, and no
/// ceil_mode.
Window with_plain_border(Window window, const Shape& x) {
  if (!window.ceil_mode || !x.has_rank()) return window;
  Window plain = window;
  plain.ceil_mode = false;
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    const Dim& length = x[axis + 2];
    if (!length.is_number()) return window;
    const int64_t last = window.output_length(axis, length).number() - 1;
    const int64_t reached = last * window.stride[axis] + window.reach(axis) - window.before[axis] - length.number();
    plain.after[axis] = std::max(window.after[axis], reached);
  }
  return plain;
}

/// The set and the attributes of a pooling over that window.
Written written_pool(NodeWriter& node, const Window& window, int64_t dilated_from) {
  const std::string op(node.node().op.name());
  if (is_dilated(window)) node.require(dilated_from, "a dilated " + op);
  if (window.ceil_mode) node.require(10, "'ceil_mode' of " + op);
  Written made = written(node, window, true);
  if (window.ceil_mode) made.attributes.push_back(integer("ceil_mode", 1));
  return made;
}

}  // namespace

void write_max_pool(NodeWriter& node) {
  const auto& pool = node.settings<ops::MaxPool>();
  expect_channels_first(pool.layout);
  Written made = written_pool(node, with_plain_border(pool.window, node.value(0).shape()), 10);
  std::string x = node.input(0);
  constexpr float kNeverWins = -std::numeric_limits<float>::infinity();
  if (made.apart) x = made.apart->around(x, kNeverWins);
  node.give(node.add("MaxPool", {x}, made.attributes));
}

void write_average_pool(NodeWriter& node) {
  const auto& pool = node.settings<ops::AveragePool>();
  expect_channels_first(pool.layout);
  Window window = with_plain_border(pool.window, node.value(0).shape());
  std::string x = node.input(0);
  bool counts_border = pool.count_include_pad;
  // What the last window reaches over behind the border is not counted, and the border is: the border is made cells of
  // the input, and the rest alone a border.
  if (counts_border && window.after != pool.window.after) {
    std::vector<int64_t> border = pool.window.before;
    border.insert(border.end(), pool.window.after.begin(), pool.window.after.end());
    x = BorderApart(node, border).around(x, 0);
    for (size_t axis = 0; axis < window.rank(); ++axis) {
      window.before[axis] = 0;
      window.after[axis] -= pool.window.after[axis];
    }
    counts_border = false;
  }
  constexpr int64_t kDilatedFrom = 19;
  Written made = written_pool(node, window, kDilatedFrom);
  if (!made.apart) {
    made.attributes.push_back(integer("count_include_pad", counts_border));
    node.give(node.add("AveragePool", {x}, made.attributes));
    return;
  }
  const std::string mean = node.add("AveragePool", {made.apart->around(x, 0)}, made.attributes);
  if (counts_border) return node.give(mean);
  // A mean over zeros too, beside the share of a window that is real.
  const std::string ones =
      node.add("ConstantOfShape", {node.add("Shape", {x})}, {tensor("value", Tensor::of<float>({1}, {1}))});
  const std::string share = node.add("AveragePool", {made.apart->around(ones, 0)}, made.attributes);
  node.give(node.add("Div", {mean, share}));
}

// ONNX's own op of it, where the lengths it makes are those that the window gives.
void write_conv_input_gradient(NodeWriter& node) {
  const auto& conv = node.settings<ops::ConvInputGradient>();
  const Window& window = conv.window;
  expect_channels_first(conv.layout);
  if (window.border != ops::Border::Stated) unfit("its border is not told in numbers.");
  const Shape& x = node.shape(0);
  const std::optional<std::vector<Dim>>& made = node.value(2).type().known_dims;
  if (!made || made->size() != x.rank()) unfit("the lengths it makes are worked out when it runs.");
  std::vector<int64_t> further;
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    const Dim plain = Dim(window.stride[axis]) * (x[axis + 2] - Dim(1)) +
                      Dim(window.reach(axis) - window.before[axis] - window.after[axis]);
    const Dim more = (*made)[axis + 2] - plain;
    if (!more.is_number() || more.number() < 0) unfit("the lengths it makes do not follow from its window.");
    further.push_back(more.number());
  }
  std::vector<Attribute> attributes = written(node, window, false).attributes;
  attributes.push_back(list("output_padding", further));
  attributes.push_back(integer("group", conv.groups));
  node.give(node.add("ConvTranspose", {node.input(0), node.input(1)}, attributes));
}

}  // namespace causeway::formats::onnx
