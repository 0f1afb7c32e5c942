#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/nn/layers/conv.h"
#include "causeway/nn/window_words.h"
#include "causeway/ops/conv.h"

namespace causeway::formats::keras {
namespace {

// What every convolution says of its window, its bias and what follows it.
struct ConvWords {
  nn::PerAxis size, strides, dilation;
  nn::Padding padding;
  Channels channels;
  bool has_bias = true;
  Penalty bias_penalty;
  nn::MaxNorm bias_bound;
  const Json* activation = nullptr;
};

ConvWords read_conv_words(Words& words, size_t places, bool causal) {
  ConvWords conv;
  conv.size = words.per_axis("kernel_size", Words::kRequired, places, 1);
  conv.strides = words.per_axis("strides", 1, places, 1);
  conv.dilation = words.per_axis("dilation_rate", 1, places, 1);
  conv.padding = read_padding(words, causal);
  conv.channels = read_channels(words);
  conv.has_bias = words.boolean("use_bias", true);
  conv.bias_penalty = read_penalty(words, "bias_regularizer");
  conv.bias_bound = read_max_norm(words, "bias_constraint", {0}, 1);
  conv.activation = words.find("activation");
  return conv;
}

// All axes but the last: those one filter's numbers lie along.
std::vector<int64_t> but_last(size_t rank) {
  std::vector<int64_t> axes;
  for (size_t axis = 0; axis + 1 < rank; ++axis) axes.push_back(static_cast<int64_t>(axis));
  return axes;
}

template <size_t kAxes>
Flow read_conv(LayerReader& layer) {
  Words& words = layer.words();
  const ConvWords said = read_conv_words(words, kAxes, kAxes == 1);
  nn::Conv<kAxes> conv;
  conv.filters = words.count("filters");
  conv.kernel_size = said.size;
  conv.strides = said.strides;
  conv.dilation_rate = said.dilation;
  conv.padding = said.padding;
  conv.groups = words.integer("groups", 1, 1);
  conv.use_bias = said.has_bias;
  conv.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  conv.kernel_constraint = read_max_norm(words, "kernel_constraint", but_last(kAxes + 2), kAxes + 2);
  conv.bias_regularizer = said.bias_penalty;
  conv.bias_constraint = said.bias_bound;
  layer.number("kernel", "weight");
  if (conv.use_bias) layer.number("bias", "bias");
  const Flow y = layer.build(conv, {said.channels.to_last(layer.x_of_rank(kAxes + 2))});
  return layer.activated(said.activation, said.channels.from_last(y));
}

// A convolution of one channel each, whose kernel Keras writes as [k…, in, m]: the same numbers in the same order as
// [k…, 1, in·m], since output channel c·m + j reads channel c.
struct Depthwise {
  int64_t multiplier = 1;
  Penalty penalty;
  nn::MaxNorm bound;
};

Depthwise read_depthwise_words(Words& words, const std::string& kernel, size_t places) {
  Depthwise depthwise;
  depthwise.multiplier = words.integer("depth_multiplier", 1, 1);
  depthwise.penalty = read_penalty(words, kernel + "_regularizer");
  std::vector<int64_t> window_axes;
  for (size_t axis = 0; axis < places; ++axis) window_axes.push_back(static_cast<int64_t>(axis));
  depthwise.bound = read_max_norm(words, kernel + "_constraint", window_axes, places + 2);
  // Keras 2 may write it.
  if (words.integer("groups", 1, 1) != 1)
    words.refuse("'groups' is more than 1, and each channel has its own kernel already.");
  return depthwise;
}

LayerReader::TurnOf depthwise_turn(int64_t multiplier) {
  return [multiplier](const std::vector<int64_t>& slot) {
    std::vector<int64_t> in_file(slot.begin(), slot.end() - 2);
    in_file.insert(in_file.end(), {slot.back() / multiplier, multiplier});
    return Turn{{ReshapeMove{in_file, slot}}};
  };
}

Values depthwise_operands(LayerReader& layer, const ops::Window& window, Value x, const Depthwise& depthwise,
                          std::string_view slot) {
  const int64_t in = nn::slot_length(x, -1);
  std::vector<int64_t> lengths = window.size;
  lengths.insert(lengths.end(), {1, in * depthwise.multiplier});
  return {x, layer.maker().slot(slot, {.lengths = lengths, .penalty = depthwise.penalty, .max_norm = depthwise.bound})};
}

ops::Window window_of(const ConvWords& said, size_t places, bool causal) {
  return nn::window_of(places, said.size, said.strides, said.dilation, said.padding, /*ceil_mode=*/false, causal);
}

template <size_t kAxes>
Flow read_depthwise(LayerReader& layer) {
  Words& words = layer.words();
  // The names of the settings and of the numbers are those of Keras 3's and Keras 2's layers.
  const ConvWords said = read_conv_words(words, kAxes, false);
  const Depthwise depthwise = read_depthwise_words(words, "depthwise", kAxes);
  layer.number(layer.is_keras_2() ? "depthwise_kernel" : "kernel", "weight", depthwise_turn(depthwise.multiplier));
  if (said.has_bias) layer.number("bias", "bias");

  const Value x = said.channels.to_last(layer.x_of_rank(kAxes + 2)).value;
  const ops::Window window = window_of(said, kAxes, false);
  Values operands = depthwise_operands(layer, window, x, depthwise, "weight");
  const int64_t in = nn::slot_length(x, -1);
  if (said.has_bias) {
    operands.push_back(layer.maker().slot(
        "bias", {.lengths = {in * depthwise.multiplier}, .penalty = said.bias_penalty, .max_norm = said.bias_bound}));
  }
  const Value y = layer.graph().add1(ops::Conv{.window = window, .groups = in}, operands);
  return layer.activated(said.activation, said.channels.from_last({y}));
}

// A depthwise convolution without a bias, then one of a single place that carries the bias.
template <size_t kAxes>
Flow read_separable(LayerReader& layer) {
  Words& words = layer.words();
  const int64_t filters = words.count("filters");
  const ConvWords said = read_conv_words(words, kAxes, kAxes == 1);
  const Depthwise depthwise = read_depthwise_words(words, "depthwise", kAxes);
  const Penalty penalty = read_penalty(words, "pointwise_regularizer");
  const nn::MaxNorm bound = read_max_norm(words, "pointwise_constraint", but_last(kAxes + 2), kAxes + 2);
  layer.number("depthwise_kernel", "depthwise.weight", depthwise_turn(depthwise.multiplier));
  layer.number("pointwise_kernel", "pointwise.weight");
  if (said.has_bias) layer.number("bias", "pointwise.bias");

  const Value x = said.channels.to_last(layer.x_of_rank(kAxes + 2)).value;
  const ops::Window window = window_of(said, kAxes, kAxes == 1);
  const int64_t in = nn::slot_length(x, -1);
  const Value between = layer.graph().add1(ops::Conv{.window = window, .groups = in},
                                           depthwise_operands(layer, window, x, depthwise, "depthwise.weight"));
  std::vector<int64_t> lengths(kAxes, 1);
  lengths.insert(lengths.end(), {in * depthwise.multiplier, filters});
  Values operands{between,
                  layer.maker().slot("pointwise.weight", {.lengths = lengths, .penalty = penalty, .max_norm = bound})};
  if (said.has_bias) {
    operands.push_back(layer.maker().slot(
        "pointwise.bias", {.lengths = {filters}, .penalty = said.bias_penalty, .max_norm = said.bias_bound}));
  }
  const ops::Conv pointwise{.window = ops::Window::of(std::vector<int64_t>(kAxes, 1))};
  return layer.activated(said.activation, said.channels.from_last({layer.graph().add1(pointwise, operands)}));
}

}  // namespace

Flow read_conv_1d(LayerReader& layer) { return read_conv<1>(layer); }
Flow read_conv_2d(LayerReader& layer) { return read_conv<2>(layer); }
Flow read_conv_3d(LayerReader& layer) { return read_conv<3>(layer); }
Flow read_depthwise_conv_1d(LayerReader& layer) { return read_depthwise<1>(layer); }
Flow read_depthwise_conv_2d(LayerReader& layer) { return read_depthwise<2>(layer); }
Flow read_separable_conv_1d(LayerReader& layer) { return read_separable<1>(layer); }
Flow read_separable_conv_2d(LayerReader& layer) { return read_separable<2>(layer); }

}  // namespace causeway::formats::keras
