#include <numeric>

#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/nn/layers/conv.h"
#include "causeway/nn/layers/depthwise_conv.h"
#include "causeway/nn/layers/transposed_conv.h"

namespace causeway::formats::keras {
namespace {

// The first `count` axes of a kernel.
std::vector<int64_t> first_axes(size_t count) {
  std::vector<int64_t> axes(count);
  std::iota(axes.begin(), axes.end(), int64_t{0});
  return axes;
}

// What every convolution says of its window and its bias.
template <class S>
void read_window_and_bias(Words& words, S& conv, size_t places, bool causal) {
  conv.kernel_size = words.per_axis("kernel_size", Words::kRequired, places, 1);
  conv.strides = words.per_axis("strides", 1, places, 1);
  conv.dilation_rate = words.per_axis("dilation_rate", 1, places, 1);
  conv.padding = read_padding(words, causal);
  conv.use_bias = words.boolean("use_bias", true);
  conv.bias_regularizer = read_penalty(words, "bias_regularizer");
  conv.bias_constraint = read_max_norm(words, "bias_constraint", {0}, 1);
}

// A convolution of one channel each, whose kernel Keras writes as [k…, in, m]: the same numbers in the same order as
// [k…, 1, in·m], since output channel c·m + j reads channel c.
template <class S>
void read_depthwise_words(Words& words, S& conv, size_t places) {
  conv.depth_multiplier = words.integer("depth_multiplier", 1, 1);
  conv.depthwise_regularizer = read_penalty(words, "depthwise_regularizer");
  conv.depthwise_constraint = read_max_norm(words, "depthwise_constraint", first_axes(places), places + 2);
  // Keras 2 may write it.
  if (words.integer("groups", 1, 1) != 1)
    words.refuse("'groups' is more than 1, and each channel has its own kernel already.");
}

LayerReader::TurnOf depthwise_turn(int64_t multiplier) {
  return [multiplier](const std::vector<int64_t>& slot) {
    std::vector<int64_t> in_file(slot.begin(), slot.end() - 2);
    in_file.insert(in_file.end(), {slot.back() / multiplier, multiplier});
    return Turn{{ReshapeMove{in_file, slot}}};
  };
}

// The layer on channels last, and its activation.
Flow built(LayerReader& layer, const nn::Layer& conv, size_t places) {
  const Channels channels = read_channels(layer.words());
  const Json* activation = layer.words().find("activation");
  const Flow y = layer.build(conv, {channels.to_last(layer.x_of_rank(places + 2))});
  return layer.activated(activation, channels.from_last(y));
}

template <size_t kAxes>
Flow read_conv(LayerReader& layer) {
  Words& words = layer.words();
  nn::Conv<kAxes> conv;
  conv.filters = words.count("filters");
  read_window_and_bias(words, conv, kAxes, kAxes == 1);
  conv.groups = words.integer("groups", 1, 1);
  conv.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  conv.kernel_constraint = read_max_norm(words, "kernel_constraint", first_axes(kAxes + 1), kAxes + 2);
  layer.number("kernel", "weight");
  if (conv.use_bias) layer.number("bias", "bias");
  return built(layer, conv, kAxes);
}

template <size_t kAxes>
Flow read_depthwise(LayerReader& layer) {
  nn::DepthwiseConv<kAxes> conv;
  read_window_and_bias(layer.words(), conv, kAxes, false);
  read_depthwise_words(layer.words(), conv, kAxes);
  // The name of the number is that of Keras 3's or of Keras 2's layer.
  layer.number(layer.is_keras_2() ? "depthwise_kernel" : "kernel", "weight", depthwise_turn(conv.depth_multiplier));
  if (conv.use_bias) layer.number("bias", "bias");
  return built(layer, conv, kAxes);
}

template <size_t kAxes>
Flow read_separable(LayerReader& layer) {
  Words& words = layer.words();
  nn::SeparableConv<kAxes> conv;
  conv.filters = words.count("filters");
  read_window_and_bias(words, conv, kAxes, kAxes == 1);
  read_depthwise_words(words, conv, kAxes);
  conv.pointwise_regularizer = read_penalty(words, "pointwise_regularizer");
  conv.pointwise_constraint = read_max_norm(words, "pointwise_constraint", first_axes(kAxes + 1), kAxes + 2);
  layer.number("depthwise_kernel", "depthwise.weight", depthwise_turn(conv.depth_multiplier));
  layer.number("pointwise_kernel", "pointwise.weight");
  if (conv.use_bias) layer.number("bias", "pointwise.bias");
  return built(layer, conv, kAxes);
}

template <size_t kAxes>
Flow read_transposed(LayerReader& layer) {
  Words& words = layer.words();
  nn::TransposedConv<kAxes> conv;
  conv.filters = words.count("filters");
  read_window_and_bias(words, conv, kAxes, false);
  if (words.has("output_padding")) conv.output_padding = words.per_axis("output_padding", 0, kAxes, 0);
  conv.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  // One filter's numbers lie along all axes but the last but one, and a bound there is not Keras's last axis.
  read_max_norm(words, "kernel_constraint", {}, kAxes + 2);
  layer.number("kernel", "weight");
  if (conv.use_bias) layer.number("bias", "bias");
  return built(layer, conv, kAxes);
}

}  // namespace

Flow read_conv_1d(LayerReader& layer) { return read_conv<1>(layer); }
Flow read_conv_2d(LayerReader& layer) { return read_conv<2>(layer); }
Flow read_conv_3d(LayerReader& layer) { return read_conv<3>(layer); }
Flow read_depthwise_conv_1d(LayerReader& layer) { return read_depthwise<1>(layer); }
Flow read_depthwise_conv_2d(LayerReader& layer) { return read_depthwise<2>(layer); }
Flow read_separable_conv_1d(LayerReader& layer) { return read_separable<1>(layer); }
Flow read_separable_conv_2d(LayerReader& layer) { return read_separable<2>(layer); }
Flow read_conv_1d_transpose(LayerReader& layer) { return read_transposed<1>(layer); }
Flow read_conv_2d_transpose(LayerReader& layer) { return read_transposed<2>(layer); }
Flow read_conv_3d_transpose(LayerReader& layer) { return read_transposed<3>(layer); }

}  // namespace causeway::formats::keras
