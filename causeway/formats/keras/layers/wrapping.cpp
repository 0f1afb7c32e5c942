#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

// The layer that a wrapper holds, under the wrapper's own path. An archive keeps its numbers in a group `layer`, an .h5
// under the layer's own name.
Flow read_wrapped(LayerReader& layer, const Json& entry, const Flow& x) {
  const Json* class_name = entry.find("class_name");
  const Json* config = entry.find("config");
  if (class_name == nullptr || !class_name->is_text() || config == nullptr || !config->is_object()) {
    unfit("'layer' is " + shown(entry) + ", and a layer of Keras's is read.");
  }
  const Json* name = config->find("name");
  LayerPlan inner;
  inner.name = name != nullptr && name->is_text() ? name->text() : "layer";
  inner.class_name = class_name->text();
  inner.path = layer.plan().path;
  inner.config = config;
  LayerReader reader(layer.building(), inner, layer.call(), {x}, layer.is_archive() ? "layer" : inner.name);
  const Flow y = read_layer(reader);
  if (reader.is_refused()) throw LayerReader::Unknown{};
  return y;
}

}  // namespace

// Each step is a row of its own: batch and steps become one axis, and part again behind the layer. A dense layer works
// on the last axis whatever stands before it.
Flow read_time_distributed(LayerReader& layer) {
  const Json* entry = layer.words().find("layer");
  if (entry == nullptr) layer.refuse("'layer' is missing.");
  const Flow x = layer.x();
  if (x.value.shape().rank() < 3) unfit("it is called on " + x.value.shape().text() + ", and a series is read.");
  const Json* class_name = entry->find("class_name");
  if (class_name != nullptr && *class_name == Json("Dense")) return read_wrapped(layer, *entry, x);

  std::vector<int64_t> steps{-1};
  for (size_t axis = 2; axis < x.value.shape().rank(); ++axis) {
    steps.push_back(nn::slot_length(x.value, static_cast<int64_t>(axis)));
  }
  const Value y = read_wrapped(layer, *entry, {ops::reshape(x.value, steps)}).value;
  if (!y.shape().has_rank()) throw LayerReader::Unknown{};
  std::vector<int64_t> row;
  for (size_t axis = 1; axis < y.shape().rank(); ++axis) row.push_back(nn::slot_length(y, static_cast<int64_t>(axis)));
  const Value batch_and_steps = ops::slice(ops::shape_of(x.value), 0, 0, 2);
  const Value whole =
      row.empty() ? batch_and_steps : ops::concat({batch_and_steps, ops::integers(layer.graph(), row)}, 0);
  return {ops::reshape(y, whole), x.mask};
}

}  // namespace causeway::formats::keras
