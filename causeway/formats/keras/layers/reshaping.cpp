#include "causeway/base/checked_size.h"
#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/nn/layers/pooling.h"
#include "causeway/nn/layers/shaping.h"
#include "causeway/ops/build.h"
#include "causeway/ops/tile.h"

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
  const Channels channels = kAxes == 1 ? Channels{} : read_channels(layer.words());
  return channels.from_last(layer.build(padding, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

Flow read_cropping(LayerReader& layer, size_t axes) {
  // Keras's own defaults: a place on each side, but none over two axes.
  const Sides sides = read_sides(layer.words(), "cropping", axes, axes == 2 ? 0 : 1);
  const Channels channels = axes == 1 ? Channels{} : read_channels(layer.words());
  Value y = layer.x_of_rank(axes + 2).value;
  for (size_t i = 0; i < axes; ++i) {
    const auto axis = static_cast<int64_t>(i) + (channels.first ? 2 : 1);
    const auto& [before, after] = sides[i];
    const std::optional<int64_t> length = y.shape().at(axis).if_number();
    if (length && before + after >= *length) {
      unfit("'cropping' takes " + std::to_string(before + after) + " of " + std::to_string(*length) +
            " places, and leaves none.");
    }
    if (before + after > 0) y = ops::slice(y, axis, before, after == 0 ? INT64_MAX : -after);
  }
  return {y};
}

// Copies of x one after another along an axis of length 1.
Value repeated(const Value& x, size_t axis, int64_t count) {
  std::vector<int64_t> repeats(x.shape().rank(), 1);
  repeats[axis] = count;
  return x.graph().add1(ops::Tile{}, {x, ops::integers(x.graph(), repeats)});
}

// Nearest: every place stands `size` times, one beside the other. A new axis behind each place axis is repeated, and
// the two become one.
Flow read_up_sampling(LayerReader& layer, size_t axes) {
  Words& words = layer.words();
  const std::vector<int64_t> sizes = words.per_axis("size", 2, axes, 1);
  words.word("interpolation", "nearest", {"nearest"});
  const Channels channels = axes == 1 ? Channels{} : read_channels(words);
  Value y = channels.to_last(layer.x_of_rank(axes + 2)).value;
  for (size_t axis = 1; axis <= axes; ++axis) {
    const int64_t size = sizes[axis - 1];
    if (size == 1) continue;
    const std::optional<int64_t> length = y.shape()[axis].if_number();
    const std::optional<int64_t> made = length ? checked_multiply(*length, size) : -1;
    if (!made) unfit("'size' makes more places than can be counted.");
    std::vector<int64_t> lengths(axis, 0);
    lengths.push_back(*made);
    for (size_t behind = axis + 1; behind < y.shape().rank(); ++behind) {
      lengths.push_back(nn::slot_length(y, static_cast<int64_t>(behind)));
    }
    y = ops::reshape(repeated(ops::unsqueeze(y, {static_cast<int64_t>(axis) + 1}), axis + 1, size), lengths);
  }
  return channels.from_last({y});
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

Flow read_repeat_vector(LayerReader& layer) {
  const int64_t count = layer.words().count("n");
  return {repeated(ops::unsqueeze(layer.x_of_rank(2).value, {1}), 1, count)};
}

Flow read_zero_padding_1d(LayerReader& layer) { return read_zero_padding<1>(layer); }
Flow read_zero_padding_2d(LayerReader& layer) { return read_zero_padding<2>(layer); }
Flow read_zero_padding_3d(LayerReader& layer) { return read_zero_padding<3>(layer); }
Flow read_cropping_1d(LayerReader& layer) { return read_cropping(layer, 1); }
Flow read_cropping_2d(LayerReader& layer) { return read_cropping(layer, 2); }
Flow read_cropping_3d(LayerReader& layer) { return read_cropping(layer, 3); }
Flow read_up_sampling_1d(LayerReader& layer) { return read_up_sampling(layer, 1); }
Flow read_up_sampling_2d(LayerReader& layer) { return read_up_sampling(layer, 2); }
Flow read_up_sampling_3d(LayerReader& layer) { return read_up_sampling(layer, 3); }

}  // namespace causeway::formats::keras
