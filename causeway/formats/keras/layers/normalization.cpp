#include "causeway/nn/layers/normalization.h"

#include <algorithm>

#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/ops/build.h"
#include "causeway/ops/layer_norm.h"

namespace causeway::formats::keras {
namespace {

// The axes of a row that a normalization goes over, ascending.
std::vector<int64_t> row_axes(const Value& x, const std::vector<int64_t>& axes) {
  std::vector<int64_t> found;
  for (const int64_t axis : axes) found.push_back(static_cast<int64_t>(axis_in(axis, x.shape().rank())));
  std::sort(found.begin(), found.end());
  if (found.empty() || found.front() == 0 || std::adjacent_find(found.begin(), found.end()) != found.end()) {
    unfit("'axis' names the batch or an axis twice, and axes of a row are read, each once.");
  }
  return found;
}

// What every normalization with a factor and a term says of them.
struct FactorAndTerm {
  bool has_factor = true, has_term = true;
  Penalty factor_penalty, term_penalty;
};

FactorAndTerm read_factor_and_term(Words& words) {
  FactorAndTerm read;
  read.has_factor = words.boolean("scale", true);
  read.has_term = words.boolean("center", true);
  read.factor_penalty = read_penalty(words, "gamma_regularizer");
  read.term_penalty = read_penalty(words, "beta_regularizer");
  return read;
}

// Some numbers as a constant: one for all, or one for each place of the last axis.
Value constant_of(LayerReader& layer, const std::vector<float>& numbers, std::string_view what) {
  std::vector<int64_t> lengths;
  if (numbers.size() > 1) lengths.push_back(static_cast<int64_t>(numbers.size()));
  return layer.graph().constant(Tensor::of<float>(lengths, numbers), what);
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
  const FactorAndTerm said = read_factor_and_term(words);
  const std::vector<int64_t> axes = words.integers("axis", {-1});
  if (axes.size() != 1) words.refuse("'axis' names " + std::to_string(axes.size()) + " axes, and one is read.");
  nn::BatchNormalization norm;
  norm.axis = axes.empty() ? -1 : axes.front();
  norm.momentum = words.real("momentum", 0.99f);
  norm.epsilon = words.real("epsilon", 1e-3f);
  norm.scale = said.has_factor;
  norm.center = said.has_term;
  norm.gamma_regularizer = said.factor_penalty;
  norm.beta_regularizer = said.term_penalty;
  norm.running_variance = "biased";  // as Keras moves it; the words of a network say "unbiased" unless told
  words.only_off("renorm", "it normalises by a mixture of the batch and what came before, and no op here does.");
  words.ignore({"synchronized", "renorm_clipping", "renorm_momentum", "fused", "virtual_batch_size"});
  if (norm.scale) layer.number("gamma", "weight");
  if (norm.center) layer.number("beta", "bias");
  layer.number("moving_mean", "running_mean");
  layer.number("moving_variance", "running_var");
  return layer.build(norm);
}

Flow read_layer_normalization(LayerReader& layer) {
  Words& words = layer.words();
  const FactorAndTerm said = read_factor_and_term(words);
  nn::LayerNormalization norm;
  norm.axis = words.integers("axis", {-1});
  norm.epsilon = words.real("epsilon", 1e-3f);
  norm.rms_scaling = words.boolean("rms_scaling", false);
  norm.scale = said.has_factor || norm.rms_scaling;
  norm.center = said.has_term && !norm.rms_scaling;
  norm.gamma_regularizer = said.factor_penalty;
  norm.beta_regularizer = said.term_penalty;
  if (norm.scale) layer.number("gamma", "weight");
  if (norm.center) layer.number("beta", "bias");
  return layer.build(norm);
}

// The channels of a group and all places together: a layer normalization of [N, …, G, C/G] over all but N and G.
Flow read_group_normalization(LayerReader& layer) {
  Words& words = layer.words();
  const FactorAndTerm said = read_factor_and_term(words);
  int64_t groups = words.integer("groups", 32, -1);
  const int64_t axis = words.integer("axis", -1, -32);
  const float epsilon = words.real("epsilon", 1e-3f);
  if (said.has_factor) layer.number("gamma", "weight");
  if (said.has_term) layer.number("beta", "bias");

  const Value x = layer.x().value;
  const size_t last = x.shape().rank() - 1;
  if (axis_in(axis, last + 1) != last || last == 0)
    unfit("'axis' is " + std::to_string(axis) + ", and the last axis is read.");
  const int64_t channels = nn::slot_length(x, -1);
  if (groups == -1) groups = channels;
  if (groups < 1 || channels % groups != 0) {
    unfit("'groups' is " + std::to_string(groups) + ", which does not divide " + std::to_string(channels) +
          " channels.");
  }
  std::vector<int64_t> apart(last, 0), together(last, 0), axes;
  apart.insert(apart.end(), {groups, channels / groups});
  together.push_back(channels);
  for (size_t i = 1; i < last; ++i) axes.push_back(static_cast<int64_t>(i));
  axes.push_back(static_cast<int64_t>(last) + 1);
  const Value grouped = ops::reshape(x, apart);
  Value y =
      ops::reshape(layer.graph().add1(ops::LayerNorm{.axes = axes, .epsilon = epsilon}, {grouped, {}, {}}), together);
  if (said.has_factor)
    y = ops::mul(y, layer.maker().slot("weight", {.lengths = {channels}, .penalty = said.factor_penalty}));
  if (said.has_term) y = ops::add(y, layer.maker().slot("bias", {.lengths = {channels}, .penalty = said.term_penalty}));
  return {y};
}

Flow read_rms_normalization(LayerReader& layer) {
  const std::vector<int64_t> said = layer.words().integers("axis", {-1});
  const float epsilon = layer.words().real("epsilon", 1e-6f);
  layer.number("scale", "weight");
  const Value x = layer.x().value;
  const std::vector<int64_t> axes = row_axes(x, said);
  std::vector<int64_t> lengths;
  for (const int64_t axis : axes) lengths.push_back(nn::slot_length(x, axis));
  const Value weight = layer.maker().slot("weight", {.lengths = lengths});
  return {layer.graph().add1(ops::LayerNorm{.axes = axes, .epsilon = epsilon, .rms = true}, {x, weight})};
}

Flow read_unit_normalization(LayerReader& layer) {
  constexpr double kLeastSquare = 1e-12;
  const std::vector<int64_t> axes = layer.words().integers("axis", {-1});
  const Flow x = layer.x();
  const Value squares = ops::reduce_sum(ops::square(x.value), row_axes(x.value, axes), true);
  return {ops::div(x.value, ops::sqrt(ops::max(squares, kLeastSquare))), x.mask};
}

Flow read_rescaling(LayerReader& layer) {
  const std::vector<float> scale = read_numbers(layer.words(), "scale", 1.0f);
  const std::vector<float> offset = read_numbers(layer.words(), "offset", 0.0f);
  const Flow x = layer.x();
  const Value scaled = ops::mul(x.value, constant_of(layer, scale, "scale"));
  return {ops::add(scaled, constant_of(layer, offset, "offset")), x.mask};
}

// By numbers fixed beforehand: the words' own, or such as the layer learned from data, with a count of it that nothing
// reads.
Flow read_normalization(LayerReader& layer) {
  Words& words = layer.words();
  const bool is_per_axis = words.json().find("axis") == nullptr || words.has("axis");  // null: one number for all
  const std::vector<int64_t> said = words.integers("axis", {-1});
  const bool invert = words.boolean("invert", false);
  const bool is_stated = words.has("mean") || words.has("variance");
  const std::vector<float> mean_words = read_numbers(words, "mean", 0),
                           variance_words = read_numbers(words, "variance", 1);
  words.ignore({"input_mean", "input_variance"});

  const Value x = layer.x().value;
  const std::vector<int64_t> axes = is_per_axis ? row_axes(x, said) : std::vector<int64_t>{};
  std::vector<int64_t> lengths;
  for (const int64_t axis : axes) lengths.push_back(nn::slot_length(x, axis));
  if (is_stated) {
    layer.given("mean", mean_words, lengths);
    layer.given("variance", variance_words, lengths);
  } else {
    layer.number("mean", "mean");
    layer.number("variance", "variance");
    layer.leave_out("count");
  }
  Value mean = layer.maker().slot("mean", {.lengths = lengths, .role = Role::Measured});
  Value variance = layer.maker().slot("variance", {.lengths = lengths, .role = Role::Measured});
  if (!axes.empty()) {
    // With a length of 1 along the axes behind the first that have one number for all.
    std::vector<int64_t> spread(x.shape().rank() - static_cast<size_t>(axes.front()), 1);
    for (size_t i = 0; i < axes.size(); ++i) spread[static_cast<size_t>(axes[i] - axes.front())] = lengths[i];
    mean = ops::reshape(mean, spread);
    variance = ops::reshape(variance, spread);
  }
  constexpr double kLeastDeviation = 1e-7;
  const Value deviation = ops::max(ops::sqrt(variance), kLeastDeviation);
  return {invert ? ops::add(mean, ops::mul(x, deviation)) : ops::div(ops::sub(x, mean), deviation)};
}

}  // namespace causeway::formats::keras
