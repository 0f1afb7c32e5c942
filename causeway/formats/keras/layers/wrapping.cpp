#include "causeway/nn/layers/wrapping.h"

#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/layers/inner_layer.h"

namespace causeway::formats::keras {
namespace {

// The layer that a wrapper holds, under the wrapper's own path. An archive keeps its numbers in a group `layer`, an .h5
// under the layer's own name.
Flow read_wrapped(LayerReader& layer, const Json& entry, const Flow& x) {
  LayerPlan inner = inner_layer(layer, entry, "layer");
  if (inner.name.empty()) inner.name = "layer";
  const Json* trainable = inner.config->find("trainable");
  if (inner.class_name == "BatchNormalization" && (trainable == nullptr || *trainable != Json(false))) {
    unfit(
        "'layer' is a BatchNormalization, which mixes rows in training: the steps would be rows to it. Put it behind, "
        "or hold it.");
  }
  LayerReader reader(layer.building(), inner, no_call(), {x}, layer.is_archive() ? "layer" : inner.name);
  const Flow y = read_layer(reader);
  if (reader.is_refused()) throw LayerReader::Unknown{};
  return y;
}

}  // namespace

// A dense layer works on the last axis whatever stands before it.
Flow read_time_distributed(LayerReader& layer) {
  const Json* entry = layer.words().find("layer");
  if (entry == nullptr) layer.refuse("'layer' is missing.");
  const Flow x = layer.x();
  if (const ModelPlan* model = layer.plan().wrapped.get()) {
    if (model->inputs.size() != 1 || model->outputs.size() != 1) {
      unfit("'layer' is a model of " + std::to_string(model->inputs.size()) + " inputs and " +
            std::to_string(model->outputs.size()) + " outputs, and one of each is read.");
    }
    const auto walk = [&](const Value& rows) {
      const Value y = layer.building().build_model(*model, {{rows}})[0].value;
      if (!y.shape().has_rank()) throw LayerReader::Unknown{};
      return y;
    };
    return {nn::on_each_step(x.value, walk), x.mask};
  }
  const Json* class_name = entry->find("class_name");
  if (class_name != nullptr && *class_name == Json("Dense") && x.value.shape().rank() >= 3) {
    return read_wrapped(layer, *entry, x);
  }
  const auto inner = [&](const Value& rows) {
    const Value y = read_wrapped(layer, *entry, {rows}).value;
    if (!y.shape().has_rank()) throw LayerReader::Unknown{};
    return y;
  };
  return {nn::on_each_step(x.value, inner), x.mask};
}

}  // namespace causeway::formats::keras
