#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"
#include "causeway/ops/conv.h"

namespace causeway::formats::keras {
namespace {

struct ConvWords {
  ops::Window window;
  Channels channels;
  bool has_bias = true;
  const Json* activation = nullptr;
};

ConvWords read_conv_words(LayerReader& layer, size_t places, bool causal) {
  Words& words = layer.words();
  ConvWords conv;
  std::vector<int64_t> size = words.per_axis("kernel_size", Words::kRequired, places, 1);
  std::vector<int64_t> stride = words.per_axis("strides", 1, places, 1);
  std::vector<int64_t> dilation = words.per_axis("dilation_rate", 1, places, 1);
  conv.channels = read_channels(words);
  conv.window = read_window(words, std::move(size), std::move(stride), std::move(dilation), causal);
  conv.has_bias = words.boolean("use_bias", true);
  conv.activation = words.find("activation");
  return conv;
}

// All axes but the last: those one filter's numbers lie along.
std::vector<size_t> but_last(size_t rank) {
  std::vector<size_t> axes;
  for (size_t axis = 0; axis + 1 < rank; ++axis) axes.push_back(axis);
  return axes;
}

Value read_conv(LayerReader& layer, size_t places) {
  const int64_t filters = layer.words().count("filters"), groups = layer.words().integer("groups", 1, 1);
  const ConvWords conv = read_conv_words(layer, places, places == 1);
  const Value x = conv.channels.to_last(layer.x_of_rank(places + 2));
  const int64_t in = layer.length(x, -1);
  if (in % groups != 0 || filters % groups != 0) {
    unfit("'groups' is " + std::to_string(groups) + ", and it divides neither or only one of " + std::to_string(in) +
          " channels and " + std::to_string(filters) + " filters.");
  }
  std::vector<int64_t> lengths = conv.window.size;
  lengths.insert(lengths.end(), {in / groups, filters});
  Values operands{x, layer.learned("kernel", "weight", lengths, but_last(lengths.size()))};
  if (conv.has_bias) operands.push_back(layer.learned("bias", "bias", {filters}, {0}));
  const Value y = layer.graph().add1(ops::Conv{.window = conv.window, .groups = groups}, operands);
  return layer.activated(conv.activation, conv.channels.from_last(y));
}

// Keras's kernel [k…, in, m] holds the same numbers in the same order as [k…, 1, in·m]: channel c·m + j reads channel c.
Value depthwise_weight(LayerReader& layer, const ops::Window& window, int64_t in, int64_t multiplier) {
  std::vector<int64_t> in_file = window.size, in_slot = window.size;
  in_file.insert(in_file.end(), {in, multiplier});
  in_slot.insert(in_slot.end(), {1, in * multiplier});
  const bool is_separable = layer.plan().class_name.rfind("Separable", 0) == 0;
  NumberWords words;
  words.name = {"", layer.next_index(),
                is_separable         ? "depthwise_kernel"
                : layer.is_keras_2() ? "depthwise_kernel"
                                     : "kernel"};
  words.slot = is_separable ? "depthwise.weight" : "weight";
  words.lengths = in_slot;
  words.turn = Turn{{ReshapeMove{in_file, in_slot}}};
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    words.unit_axes.push_back(axis);
    words.unit_axes_in_file.push_back(static_cast<int64_t>(axis));
  }
  return layer.number(std::move(words));
}

Value read_depthwise(LayerReader& layer, size_t places) {
  Words& words = layer.words();
  const int64_t multiplier = words.integer("depth_multiplier", 1, 1);
  const ConvWords conv = read_conv_words(layer, places, false);
  // Keras 2 may write it.
  words.integer("groups", 1, 1);
  const Value x = conv.channels.to_last(layer.x_of_rank(places + 2));
  const int64_t in = layer.length(x, -1);
  Values operands{x, depthwise_weight(layer, conv.window, in, multiplier)};
  if (conv.has_bias) operands.push_back(layer.learned("bias", "bias", {in * multiplier}, {0}));
  const Value y = layer.graph().add1(ops::Conv{.window = conv.window, .groups = in}, operands);
  return layer.activated(conv.activation, conv.channels.from_last(y));
}

// A depthwise convolution without a bias, then one of a single place that carries the bias.
Value read_separable(LayerReader& layer, size_t places) {
  Words& words = layer.words();
  const int64_t filters = words.count("filters"), multiplier = words.integer("depth_multiplier", 1, 1);
  words.integer("groups", 1, 1);
  const ConvWords conv = read_conv_words(layer, places, places == 1);
  const Value x = conv.channels.to_last(layer.x_of_rank(places + 2));
  const int64_t in = layer.length(x, -1);
  const Value weight = depthwise_weight(layer, conv.window, in, multiplier);
  const Value between = layer.graph().add1(ops::Conv{.window = conv.window, .groups = in}, {x, weight});

  std::vector<int64_t> lengths(places, 1);
  lengths.insert(lengths.end(), {in * multiplier, filters});
  Values operands{between, layer.learned("pointwise_kernel", "pointwise.weight", lengths, but_last(lengths.size()))};
  if (conv.has_bias) operands.push_back(layer.learned("bias", "pointwise.bias", {filters}, {0}));
  const ops::Conv pointwise{.window = ops::Window::of(std::vector<int64_t>(places, 1))};
  const Value y = layer.graph().add1(pointwise, operands);
  return layer.activated(conv.activation, conv.channels.from_last(y));
}

}  // namespace

Value read_conv_1d(LayerReader& layer) { return read_conv(layer, 1); }
Value read_conv_2d(LayerReader& layer) { return read_conv(layer, 2); }
Value read_conv_3d(LayerReader& layer) { return read_conv(layer, 3); }
Value read_depthwise_conv_1d(LayerReader& layer) { return read_depthwise(layer, 1); }
Value read_depthwise_conv_2d(LayerReader& layer) { return read_depthwise(layer, 2); }
Value read_separable_conv_1d(LayerReader& layer) { return read_separable(layer, 1); }
Value read_separable_conv_2d(LayerReader& layer) { return read_separable(layer, 2); }

}  // namespace causeway::formats::keras
