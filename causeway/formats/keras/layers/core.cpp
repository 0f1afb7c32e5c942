#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/elementary.h"

namespace causeway::formats::keras {
namespace {

// An archive holds the kernel with the low-rank pair merged into it, so it is a plain kernel there.
void read_low_rank(LayerReader& layer) {
  Words& words = layer.words();
  const bool has_pair = words.has("lora_rank");
  words.ignore({"lora_rank", "lora_alpha"});
  if (!has_pair) return;
  if (layer.is_archive()) {
    layer.note("was trained with a low-rank pair; the file holds the two merged into its kernel, which is read.");
  } else {
    layer.refuse("'lora_rank' is " + shown(*words.find("lora_rank")) +
                 ": the file holds the low-rank pair apart. Save the model as .keras, which merges it.");
  }
}

Value dropped(LayerReader& layer, std::vector<int64_t> shared_axes) {
  const float rate = layer.words().real("rate", 0.0f);
  if (!(rate >= 0 && rate < 1))
    layer.refuse("'rate' is " + text_of(rate) + ", and a share from 0 up to but not 1 is read.");
  return layer.graph().add1(ops::Dropout{.rate = rate, .shared_axes = std::move(shared_axes)}, {layer.x()});
}

}  // namespace

Value read_dense(LayerReader& layer) {
  Words& words = layer.words();
  const int64_t units = words.count("units");
  const bool has_bias = words.boolean("use_bias", true);
  const Json* activation = words.find("activation");
  read_low_rank(layer);

  const Value x = layer.x();
  const Value weight = layer.learned("kernel", "weight", {layer.length(x, -1), units}, {0});
  Value y = ops::matmul(x, weight);
  if (has_bias) y = ops::add(y, layer.learned("bias", "bias", {units}, {0}));
  return layer.activated(activation, y);
}

Value read_activation(LayerReader& layer) {
  const Json* activation = layer.words().find("activation");
  if (activation == nullptr) layer.refuse("'activation' is missing.");
  return layer.activated(activation, layer.x());
}

Value read_identity(LayerReader& layer) { return layer.graph().add1(ops::Identity{}, {layer.x()}); }

// Measured: all of these pass their input on when answering.
Value read_only_training(LayerReader& layer) {
  for (const auto& [key, value] : layer.words().json().members()) layer.words().ignore({key});
  layer.note("changes its input only while training, and passes it on here.");
  return read_identity(layer);
}

Value read_dropout(LayerReader& layer) {
  layer.words().only_off("noise_shape", "and one draw for several numbers is not read.");
  return dropped(layer, {});
}

// One draw for every place of a channel.
Value read_spatial_dropout(LayerReader& layer) {
  const bool is_1d = layer.plan().class_name == "SpatialDropout1D";
  const Channels channels = is_1d ? Channels{} : read_channels(layer.words());
  std::vector<int64_t> places;
  const int64_t count = is_1d ? 1 : layer.plan().class_name == "SpatialDropout2D" ? 2 : 3;
  for (int64_t i = 0; i < count; ++i) places.push_back(i + (channels.first ? 2 : 1));
  layer.words().only_off("noise_shape", "and one draw for several numbers is not read.");
  return dropped(layer, places);
}

}  // namespace causeway::formats::keras
