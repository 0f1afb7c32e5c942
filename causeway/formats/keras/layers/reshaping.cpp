#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/nn/layers/padding.h"
#include "causeway/nn/layers/pooling.h"
#include "causeway/nn/layers/resizing.h"
#include "causeway/nn/layers/shaping.h"

namespace causeway::formats::keras {
namespace {

using Sides = std::vector<std::pair<int64_t, int64_t>>;  // before and after, an axis each

bool is_count(const Json& json) {
  return json.is_integer() && json.integer() >= 0 && json.integer() < (int64_t{1} << 30);
}

// A number, or one before and one after.
bool read_side(const Json& json, std::pair<int64_t, int64_t>& side) {
  if (is_count(json)) {
    side = {json.integer(), json.integer()};
    return true;
  }
  const bool is_pair =
      json.is_array() && json.items().size() == 2 && is_count(json.items()[0]) && is_count(json.items()[1]);
  if (is_pair) side = {json.items()[0].integer(), json.items()[1].integer()};
  return is_pair;
}

// A number for all sides, or a number or a pair for each axis; over one axis a pair is its two sides.
Sides read_sides(Words& words, std::string_view key, size_t axes, int64_t otherwise) {
  Sides sides(axes, {otherwise, otherwise});
  const Json* value = words.find(key);
  if (value == nullptr) return sides;
  bool is_read = true;
  if (is_count(*value) || axes == 1) {
    is_read = read_side(*value, sides[0]);
    sides.assign(axes, sides[0]);
  } else {
    is_read = value->is_array() && value->items().size() == axes;
    for (size_t i = 0; is_read && i < axes; ++i) is_read = read_side(value->items()[i], sides[i]);
  }
  if (!is_read) {
    words.refuse("'" + std::string(key) + "' is " + shown(*value) +
                 ", and a number, or a number or a pair for each axis, is read.");
  }
  return sides;
}

template <size_t kAxes>
Flow read_zero_padding(LayerReader& layer) {
  const nn::ZeroPadding<kAxes> padding{{nn::Padding::Kind::Stated, read_sides(layer.words(), "padding", kAxes, 1)}};
  const Channels channels = read_channels(layer.words());
  return channels.from_last(layer.build(padding, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

template <size_t kAxes>
Flow read_cropping(LayerReader& layer) {
  // Keras's own defaults: a place on each side, but none over two axes.
  const Sides sides = read_sides(layer.words(), "cropping", kAxes, kAxes == 2 ? 0 : 1);
  const Channels channels = read_channels(layer.words());
  const nn::Cropping<kAxes> cropping{{nn::Padding::Kind::Stated, sides}};
  return channels.from_last(layer.build(cropping, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

template <size_t kAxes>
Flow read_up_sampling(LayerReader& layer) {
  Words& words = layer.words();
  nn::UpSampling<kAxes> sampling;
  sampling.size = words.per_axis("size", 2, kAxes, 1);
  sampling.interpolation = kAxes == 2 ? words.word("interpolation", "nearest", {"nearest", "bilinear"}) : "nearest";
  const Channels channels = read_channels(words);
  return channels.from_last(layer.build(sampling, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

}  // namespace

Flow read_flatten(LayerReader& layer) {
  const Channels channels = read_channels(layer.words());
  const Flow x = layer.x();
  return layer.build(nn::Flatten{}, {x.value.shape().rank() > 2 ? channels.to_last(x) : x});
}

Flow read_reshape(LayerReader& layer) {
  if (!layer.words().has("target_shape")) layer.refuse("'target_shape' is missing.");
  return layer.build(nn::Reshape{layer.words().integers("target_shape", {})});
}

Flow read_permute(LayerReader& layer) {
  if (!layer.words().has("dims")) layer.refuse("'dims' is missing.");
  return layer.build(nn::Permute{layer.words().integers("dims", {})});
}

Flow read_repeat_vector(LayerReader& layer) { return layer.build(nn::RepeatVector{layer.words().count("n")}); }

Flow read_zero_padding_1d(LayerReader& layer) { return read_zero_padding<1>(layer); }
Flow read_zero_padding_2d(LayerReader& layer) { return read_zero_padding<2>(layer); }
Flow read_zero_padding_3d(LayerReader& layer) { return read_zero_padding<3>(layer); }
Flow read_cropping_1d(LayerReader& layer) { return read_cropping<1>(layer); }
Flow read_cropping_2d(LayerReader& layer) { return read_cropping<2>(layer); }
Flow read_cropping_3d(LayerReader& layer) { return read_cropping<3>(layer); }
Flow read_up_sampling_1d(LayerReader& layer) { return read_up_sampling<1>(layer); }
Flow read_up_sampling_2d(LayerReader& layer) { return read_up_sampling<2>(layer); }
Flow read_up_sampling_3d(LayerReader& layer) { return read_up_sampling<3>(layer); }

Flow read_center_crop(LayerReader& layer) {
  layer.named("training");  // Keras says true of every image layer, which asks nothing by it
  const nn::CenterCrop crop{layer.words().count("height"), layer.words().count("width")};
  const Channels channels = read_channels(layer.words());
  return channels.from_last(layer.build(crop, {channels.to_last(layer.x_of_rank(4))}));
}

Flow read_resizing(LayerReader& layer) {
  layer.named("training");  // Keras says true of every image layer, which asks nothing by it
  Words& words = layer.words();
  nn::Resizing resizing;
  resizing.height = words.count("height");
  resizing.width = words.count("width");
  resizing.interpolation = words.word("interpolation", "bilinear", {"bilinear", "nearest"});
  words.only_off("antialias", "images are read at their places alone.");
  words.only_off("crop_to_aspect_ratio", "images are neither cut nor padded to an aspect ratio.");
  words.only_off("pad_to_aspect_ratio", "images are neither cut nor padded to an aspect ratio.");
  words.ignore({"fill_mode", "fill_value"});
  const Channels channels = read_channels(words);
  return channels.from_last(layer.build(resizing, {channels.to_last(layer.x_of_rank(4))}));
}

}  // namespace causeway::formats::keras
