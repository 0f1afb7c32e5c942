#include "causeway/formats/keras/layers/inner_layer.h"

namespace causeway::formats::keras {

LayerPlan inner_layer(const LayerReader& layer, const Json& entry, std::string_view what, const std::string& part) {
  const Json* class_name = entry.find("class_name");
  const Json* config = entry.find("config");
  if (class_name == nullptr || !class_name->is_text() || config == nullptr || !config->is_object()) {
    unfit("'" + std::string(what) + "' is " + shown(entry) + ", and a layer of Keras's is read.");
  }
  const Json* module = entry.find("module");
  if (module != nullptr && module->is_text() && module->text().rfind("keras", 0) != 0) {
    unfit("'" + std::string(what) + "' is of " + shown(*module) +
          ", which is not Keras's own: it holds code, and a file is data. Rewrite it in layers, or export the model as "
          "ONNX.");
  }
  const Json* name = config->find("name");
  LayerPlan inner;
  if (name != nullptr && name->is_text()) inner.name = name->text();
  inner.class_name = class_name->text();
  inner.path = part.empty() ? layer.plan().path : layer.plan().path + "." + part;
  inner.config = config;
  return inner;
}

}  // namespace causeway::formats::keras
