#include "causeway/nn/layers/normalization.h"

#include <algorithm>

#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/nn/layers/group_normalization.h"
#include "causeway/nn/layers/scaling.h"

namespace causeway::formats::keras {
namespace {

// What every normalization with a factor and a term says of them.
template <class S>
void read_factor_and_term(Words& words, S& norm) {
  norm.scale = words.boolean("scale", true);
  norm.center = words.boolean("center", true);
  norm.gamma_regularizer = read_penalty(words, "gamma_regularizer");
  norm.beta_regularizer = read_penalty(words, "beta_regularizer");
}

template <class S>
void name_factor_and_term(LayerReader& layer, const S& norm) {
  if (norm.scale) layer.number("gamma", "weight");
  if (norm.center) layer.number("beta", "bias");
}

std::vector<float> read_numbers(Words& words, std::string_view key, float otherwise) {
  const Json* value = words.find(key);
  if (value == nullptr || value->is_number()) return {words.real(key, otherwise)};
  std::vector<float> numbers;
  for (size_t i = 0; value->is_array() && i < value->items().size(); ++i) {
    if (value->items()[i].is_number()) numbers.push_back(static_cast<float>(value->items()[i].number()));
  }
  if (numbers.empty() || numbers.size() != value->items().size()) {
    words.refuse("'" + std::string(key) + "' is " + shown(*value) + ", and a number or a list of them is read.");
    numbers.assign(1, otherwise);
  }
  return numbers;
}

}  // namespace

Flow read_batch_normalization(LayerReader& layer) {
  Words& words = layer.words();
  nn::BatchNormalization norm;
  read_factor_and_term(words, norm);
  const std::vector<int64_t> axes = words.integers("axis", {-1});
  if (axes.size() != 1) words.refuse("'axis' names " + std::to_string(axes.size()) + " axes, and one is read.");
  norm.axis = axes.empty() ? -1 : axes.front();
  norm.momentum = words.real("momentum", 0.99f);
  norm.epsilon = words.real("epsilon", 1e-3f);
  norm.running_variance = "biased";  // as Keras moves it; the words of a network say "unbiased" unless told
  words.only_off("renorm", "it normalises by a mixture of the batch and what came before, and no op here does.");
  words.ignore({"synchronized", "renorm_clipping", "renorm_momentum", "fused", "virtual_batch_size"});
  name_factor_and_term(layer, norm);
  layer.number("moving_mean", "running_mean");
  layer.number("moving_variance", "running_var");
  return layer.build(norm);
}

Flow read_layer_normalization(LayerReader& layer) {
  Words& words = layer.words();
  nn::LayerNormalization norm;
  read_factor_and_term(words, norm);
  norm.axis = words.integers("axis", {-1});
  norm.epsilon = words.real("epsilon", 1e-3f);
  norm.rms_scaling = words.boolean("rms_scaling", false);
  norm.scale = norm.scale || norm.rms_scaling;
  norm.center = norm.center && !norm.rms_scaling;
  name_factor_and_term(layer, norm);
  return layer.build(norm);
}

Flow read_group_normalization(LayerReader& layer) {
  Words& words = layer.words();
  nn::GroupNormalization norm;
  read_factor_and_term(words, norm);
  norm.groups = words.integer("groups", 32, -1);
  norm.epsilon = words.real("epsilon", 1e-3f);
  const int64_t axis = words.integer("axis", -1, -32);
  name_factor_and_term(layer, norm);
  const Flow x = layer.x();
  const size_t rank = x.value.shape().rank(), at = axis_in(axis, rank);
  if (at != rank - 1 && at != 1) unfit("'axis' is " + std::to_string(axis) + ", and axis 1 or the last is read.");
  const Channels channels{at != rank - 1};
  return {channels.from_last(layer.build(norm, {channels.to_last(x)})).value, x.mask};
}

Flow read_rms_normalization(LayerReader& layer) {
  nn::RMSNormalization norm;
  norm.axis = layer.words().integers("axis", {-1});
  norm.epsilon = layer.words().real("epsilon", 1e-6f);
  layer.number("scale", "weight");
  const auto rank = static_cast<int64_t>(layer.x().value.shape().rank());
  int64_t least = rank;
  for (const int64_t axis : norm.axis)
    least = std::min(least, static_cast<int64_t>(axis_in(axis, static_cast<size_t>(rank))));
  if (rank - least != static_cast<int64_t>(norm.axis.size())) {
    unfit("'axis' is " + text_of(norm.axis) + ", and the last axes are read: Keras lays the factors along these.");
  }
  return layer.build(norm);
}

Flow read_unit_normalization(LayerReader& layer) {
  return layer.build(nn::UnitNormalization{layer.words().integers("axis", {-1})});
}

Flow read_rescaling(LayerReader& layer) {
  nn::Rescaling rescaling;
  rescaling.scale = read_numbers(layer.words(), "scale", 1.0f);
  rescaling.offset = read_numbers(layer.words(), "offset", 0.0f);
  return layer.build(rescaling);
}

// By numbers fixed beforehand: the words' own, or such as the layer learned from data, with a count of it that nothing
// reads.
Flow read_normalization(LayerReader& layer) {
  Words& words = layer.words();
  nn::Normalization norm;
  const bool is_per_axis = words.json().find("axis") == nullptr || words.has("axis");  // null: one number for all
  norm.axis = is_per_axis ? words.integers("axis", {-1}) : std::vector<int64_t>{};
  norm.invert = words.boolean("invert", false);
  const bool is_stated = words.has("mean") || words.has("variance");
  const std::vector<float> mean = read_numbers(words, "mean", 0), variance = read_numbers(words, "variance", 1);
  words.ignore({"input_mean", "input_variance"});
  if (is_stated) {
    layer.given("mean", mean);
    layer.given("variance", variance);
  } else {
    layer.number("mean", "mean");
    layer.number("variance", "variance");
    layer.leave_out("count");
  }
  return layer.build(norm);
}

}  // namespace causeway::formats::keras
