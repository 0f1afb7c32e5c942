#include <algorithm>
#include <numeric>

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
  if (!stated) unfit("'kernel_shape' is absent, and the weight's shape is not known.");
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
  if (!x.shape().has_rank()) unfit("the rank of x is not known.");
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

}  // namespace causeway::formats::onnx
