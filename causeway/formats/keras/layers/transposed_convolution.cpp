#include <algorithm>

#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/ops/build.h"
#include "causeway/ops/conv.h"

namespace causeway::formats::keras {
namespace {

// Input place i and tap j add to place i * stride + j * dilation - before. Each axis makes length * stride + more
// places, by Keras's own rule for each padding.
struct TransposedWindow {
  ops::Window window;
  std::vector<int64_t> more;
};

TransposedWindow read_window(Words& words, size_t axes) {
  TransposedWindow read;
  read.window = ops::Window::of(words.per_axis("kernel_size", Words::kRequired, axes, 1));
  read.window.stride = words.per_axis("strides", 1, axes, 1);
  read.window.dilation = words.per_axis("dilation_rate", 1, axes, 1);
  const bool same = words.word("padding", "valid", {"valid", "same"}) == "same";
  const bool is_stated = words.has("output_padding");
  const std::vector<int64_t> stated = words.per_axis("output_padding", 0, axes, 0);
  if (same && is_stated) {
    words.refuse("'output_padding' is stated and 'padding' is same, which Keras's backends read in two ways.");
  }
  for (size_t axis = 0; axis < axes; ++axis) {
    const int64_t stride = read.window.stride[axis], reach = read.window.reach(axis);
    if (is_stated && stated[axis] >= std::max(stride, read.window.dilation[axis])) {
      words.refuse("'output_padding' is as large as the stride and the dilation, and less is read.");
    }
    read.more.push_back(same ? 0 : is_stated ? reach + stated[axis] - stride : std::max(reach, stride) - stride);
    if (!same) continue;
    const int64_t border = std::max<int64_t>(0, reach - stride);
    read.window.before[axis] = border / 2;
    read.window.after[axis] = border - border / 2;
  }
  return read;
}

template <size_t kAxes>
Flow read_transposed(LayerReader& layer) {
  Words& words = layer.words();
  const int64_t filters = words.count("filters");
  const TransposedWindow said = read_window(words, kAxes);
  const Channels channels = read_channels(words);
  const bool has_bias = words.boolean("use_bias", true);
  const Penalty penalty = read_penalty(words, "kernel_regularizer"),
                bias_penalty = read_penalty(words, "bias_regularizer");
  // One filter's numbers lie along all axes but the last but one, and a bound there is not Keras's last axis.
  read_max_norm(words, "kernel_constraint", {}, kAxes + 2);
  const nn::MaxNorm bias_bound = read_max_norm(words, "bias_constraint", {0}, 1);
  const Json* activation = words.find("activation");
  layer.number("kernel", "weight");
  if (has_bias) layer.number("bias", "bias");

  const Value x = channels.to_last(layer.x_of_rank(kAxes + 2)).value;
  std::vector<int64_t> lengths = said.window.size;
  lengths.insert(lengths.end(), {filters, nn::slot_length(x, -1)});
  const Value weight = layer.maker().slot("weight", {.lengths = lengths, .penalty = penalty});
  GraphBuilder& graph = layer.graph();
  const Value shape = ops::shape_of(x), places = ops::slice(shape, 0, 1, 1 + static_cast<int64_t>(kAxes));
  const Value stretched = ops::mul(places, ops::integers(graph, said.window.stride));
  const Value made = ops::add(stretched, ops::integers(graph, said.more));
  const Value whole = ops::concat({ops::slice(shape, 0, 0, 1), made, ops::integers(graph, {filters})}, 0);
  Value y = graph.add1(ops::ConvInputGradient{.window = said.window}, {x, weight, whole});
  if (has_bias) {
    y = ops::add(y,
                 layer.maker().slot("bias", {.lengths = {filters}, .penalty = bias_penalty, .max_norm = bias_bound}));
  }
  return layer.activated(activation, channels.from_last({y}));
}

}  // namespace

Flow read_conv_1d_transpose(LayerReader& layer) { return read_transposed<1>(layer); }
Flow read_conv_2d_transpose(LayerReader& layer) { return read_transposed<2>(layer); }
Flow read_conv_3d_transpose(LayerReader& layer) { return read_transposed<3>(layer); }

}  // namespace causeway::formats::keras
