#include <algorithm>
#include <array>

#include "causeway/base/checked_size.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/pad.h"
#include "causeway/ops/tile.h"

namespace causeway::formats::keras {
namespace {

using Sides = std::array<int64_t, 2>;  // before and after

// A number, a pair an axis, or a pair of pairs; over one axis a pair is before and after.
std::vector<Sides> read_sides(Words& words, std::string_view key, size_t places, int64_t otherwise) {
  std::vector<Sides> all(places, Sides{otherwise, otherwise});
  const Json* value = words.find(key);
  if (value == nullptr) return all;
  const auto fits = [](const Json& json) {
    return json.is_integer() && json.integer() >= 0 && json.integer() < (1 << 30);
  };
  const auto pair = [&](const Json& json, Sides& into) {
    if (fits(json)) into = {json.integer(), json.integer()};
    const bool is_pair = json.is_array() && json.items().size() == 2 && fits(json.items()[0]) && fits(json.items()[1]);
    if (is_pair) into = {json.items()[0].integer(), json.items()[1].integer()};
    return is_pair || fits(json);
  };
  bool is_read = true;
  if (fits(*value) || places == 1) {
    Sides sides{};
    is_read = pair(*value, sides);
    all.assign(places, sides);
  } else {
    is_read = value->is_array() && value->items().size() == places;
    for (size_t i = 0; is_read && i < places; ++i) is_read = pair(value->items()[i], all[i]);
  }
  if (!is_read) {
    words.refuse("'" + std::string(key) + "' is " + shown(*value) +
                 ", and a number, one an axis or a pair an axis is read.");
    all.assign(places, Sides{otherwise, otherwise});
  }
  return all;
}

Value read_zero_padding(LayerReader& layer, size_t places) {
  const std::vector<Sides> sides = read_sides(layer.words(), "padding", places, 1);
  const Channels channels = read_channels(layer.words());
  const Value x = layer.x_of_rank(places + 2);
  const size_t rank = places + 2, first = channels.first ? 2 : 1;
  std::vector<int64_t> pads(2 * rank, 0);
  for (size_t i = 0; i < places; ++i) pads[first + i] = sides[i][0], pads[rank + first + i] = sides[i][1];
  return layer.graph().add1(ops::Pad{}, {x, ops::integers(layer.graph(), pads)});
}

Value read_cropping(LayerReader& layer, size_t places) {
  // Keras's own defaults: a place on both sides, but in two dimensions none.
  const std::vector<Sides> sides = read_sides(layer.words(), "cropping", places, places == 2 ? 0 : 1);
  const Channels channels = read_channels(layer.words());
  const Value x = layer.x_of_rank(places + 2);
  Value y = x;
  for (size_t i = 0; i < places; ++i) {
    const auto axis = static_cast<int64_t>(i) + (channels.first ? 2 : 1);
    const std::optional<int64_t> length = x.shape().at(axis).if_number();
    if (length && sides[i][0] + sides[i][1] >= *length) {
      unfit("'cropping' takes " + std::to_string(sides[i][0] + sides[i][1]) + " of " + std::to_string(*length) +
            " places, and leaves none.");
    }
    if (sides[i] == Sides{0, 0}) continue;
    y = ops::slice(y, axis, sides[i][0], sides[i][1] == 0 ? INT64_MAX : -sides[i][1]);
  }
  return y;
}

// Copies of x one after another along an axis of length 1.
Value repeated(const Value& x, size_t axis, int64_t count) {
  std::vector<int64_t> repeats(x.shape().rank(), 1);
  repeats[axis] = count;
  return x.graph().add1(ops::Tile{}, {x, ops::integers(x.graph(), repeats)});
}

// Nearest: every place stands `size` times, one beside the other. A new axis behind each place axis is repeated, and
// the two become one.
Value read_up_sampling(LayerReader& layer, size_t places) {
  Words& words = layer.words();
  const std::vector<int64_t> sizes = words.per_axis("size", 2, places, 1);
  words.word("interpolation", "nearest", {"nearest"});
  const Channels channels = read_channels(words);
  Value y = channels.to_last(layer.x_of_rank(places + 2));
  for (size_t i = 0; i < places; ++i) {
    if (sizes[i] == 1) continue;
    const size_t axis = i + 1;
    std::vector<int64_t> lengths(axis, 0);
    const std::optional<int64_t> length = y.shape()[axis].if_number();
    const std::optional<int64_t> made = length ? checked_multiply(*length, sizes[i]) : -1;
    if (!made) unfit("'size' makes more places than can be counted.");
    lengths.push_back(*made);
    for (size_t behind = axis + 1; behind < y.shape().rank(); ++behind) {
      lengths.push_back(layer.length(y, static_cast<int64_t>(behind)));
    }
    const Value apart = ops::unsqueeze(y, {static_cast<int64_t>(axis) + 1});
    y = ops::reshape(repeated(apart, axis + 1, sizes[i]), lengths);
  }
  return channels.from_last(y);
}

}  // namespace

Value read_flatten(LayerReader& layer) {
  const Channels channels = read_channels(layer.words());
  const Value x = layer.x();
  if (x.shape().rank() == 1) return ops::unsqueeze(x, {1});
  return layer.graph().add1(ops::Flatten{.axis = 1}, {x.shape().rank() > 2 ? channels.to_last(x) : x});
}

Value read_reshape(LayerReader& layer) {
  std::vector<int64_t> target = layer.words().integers("target_shape", {});
  if (!layer.words().has("target_shape")) layer.refuse("'target_shape' is missing.");
  const Value x = layer.x();
  // What -1 stands for is worked here where the lengths are known, so that what follows knows it too.
  std::vector<int64_t> lengths, others;
  for (size_t axis = 1; axis < x.shape().rank(); ++axis) {
    if (const std::optional<int64_t> length = x.shape()[axis].if_number()) lengths.push_back(*length);
  }
  const auto open = std::find(target.begin(), target.end(), -1);
  for (auto at = target.begin(); at != target.end(); ++at) {
    if (at != open && *at < 1)
      unfit("'target_shape' holds " + std::to_string(*at) + ", and lengths of at least 1 and one -1 are read.");
    if (at != open) others.push_back(*at);
  }
  const std::optional<int64_t> count = checked_product(lengths), said = checked_product(others);
  if (!count || !said) unfit("'target_shape' holds more numbers than can be counted.");
  if (lengths.size() + 1 == x.shape().rank()) {
    const bool fits = open == target.end() ? *said == *count : *count % *said == 0;
    if (!fits)
      unfit("'target_shape' is " + text_of(target) + ", and a row of it is called on has " + std::to_string(*count) +
            " numbers.");
    if (open != target.end()) *open = *count / *said;
  }
  target.insert(target.begin(), 0);
  return ops::reshape(x, target);
}

// The axes count from 1, since the batch stays.
Value read_permute(LayerReader& layer) {
  const std::vector<int64_t> dims = layer.words().integers("dims", {});
  const Value x = layer.x();
  std::vector<size_t> axes{0};
  std::vector<int64_t> sorted = dims;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i) + 1) sorted.clear();
  }
  if (sorted.size() + 1 != x.shape().rank())
    unfit("'dims' is " + text_of(dims) + ", and each axis of " + x.shape().text() + " but the batch's is read once.");
  for (const int64_t axis : dims) axes.push_back(static_cast<size_t>(axis));
  return ops::transpose(x, axes);
}

Value read_repeat_vector(LayerReader& layer) {
  const int64_t count = layer.words().count("n");
  const Value x = layer.x_of_rank(2);
  return repeated(ops::unsqueeze(x, {1}), 1, count);
}

Value read_zero_padding_1d(LayerReader& layer) { return read_zero_padding(layer, 1); }
Value read_zero_padding_2d(LayerReader& layer) { return read_zero_padding(layer, 2); }
Value read_zero_padding_3d(LayerReader& layer) { return read_zero_padding(layer, 3); }
Value read_cropping_1d(LayerReader& layer) { return read_cropping(layer, 1); }
Value read_cropping_2d(LayerReader& layer) { return read_cropping(layer, 2); }
Value read_cropping_3d(LayerReader& layer) { return read_cropping(layer, 3); }
Value read_up_sampling_1d(LayerReader& layer) { return read_up_sampling(layer, 1); }
Value read_up_sampling_2d(LayerReader& layer) { return read_up_sampling(layer, 2); }
Value read_up_sampling_3d(LayerReader& layer) { return read_up_sampling(layer, 3); }

}  // namespace causeway::formats::keras
