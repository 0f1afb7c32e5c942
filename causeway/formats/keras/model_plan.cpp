#include "causeway/formats/keras/model_plan.h"

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/calls.h"
#include "causeway/formats/keras/layer_table.h"
#include "causeway/formats/keras/words.h"

namespace causeway::formats::keras {
namespace {

constexpr int kDeepestModel = 16;
constexpr size_t kLongestPath = 4096;  // of a layer, in bytes: every layer of a nested model carries the model's
constexpr std::string_view kHoldsCode =
    "holds code, and a file is data. Rewrite it in layers, or export the model as ONNX.";

bool is_model_class(const std::string& name) { return name == "Sequential" || name == "Functional" || name == "Model"; }

const Json* object_at(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_object() ? found : nullptr;
}
const Json* array_at(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_array() ? found : nullptr;
}
std::string text_at(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_text() ? found->text() : std::string();
}

bool is_keras_module(const std::string& module) {
  return module.empty() || module == "keras" || module.rfind("keras.", 0) == 0;
}

class Planner {
 public:
  Planner(const std::string& place, std::vector<Fault>& faults) : place_(place), faults_(faults) {}

  ModelPlan model(const Json& json, const std::string& path, int depth) {
    ModelPlan plan;
    plan.path = path;
    const std::string class_name = text_at(json, "class_name");
    const std::string where =
        path.empty() ? place_ : place_ + ", layer " + quoted(path) + " (" + escaped(class_name) + ")";
    const Json* config = object_at(json, "config");
    if (!is_model_class(class_name)) {
      refuse(where, quoted(class_name) +
                        " is a class of its own program, and only Sequential and Functional say their layers. "
                        "Export it as ONNX.");
      return plan;
    }
    // Keras 2 wrote a Sequential's layers as its whole config in its earliest files; those are not read.
    const Json* layers = config != nullptr ? array_at(*config, "layers") : nullptr;
    if (layers == nullptr) {
      refuse(where, class_name == "Model"
                        ? "'Model' is a class of its own program, and only Sequential and Functional say their layers. "
                          "Export it as ONNX."
                        : "the model has no list of layers.");
      return plan;
    }
    if (depth > kDeepestModel) {
      refuse(where, "models are nested more than " + std::to_string(kDeepestModel) + " deep.");
      return plan;
    }
    plan.name = text_at(*config, "name");
    plan.is_sequential = class_name == "Sequential";
    if (const Json* trainable = config->find("trainable")) plan.is_held = trainable->is_bool() && !trainable->boolean();
    if (layers->items().empty()) refuse(where, "the model has no layers.");
    for (const Json& entry : layers->items()) add_layer(entry, where, depth, plan);
    if (plan.is_sequential) {
      chain(*config, json, where, plan);
    } else {
      connect(*layers, *config, where, plan);
    }
    sort(where, plan);
    return plan;
  }

 private:
  // What keeps the calls from being put in order; a layer that is only refused is built round.
  void refuse(const std::string& where, std::string what) {
    is_broken_ = true;
    faults_.push_back({where, std::move(what)});
  }

  void add_layer(const Json& entry, const std::string& where, int depth, ModelPlan& plan) {
    LayerPlan layer;
    layer.class_name = text_at(entry, "class_name");
    layer.module = text_at(entry, "module");
    layer.config = object_at(entry, "config");
    if (layer.config != nullptr) layer.name = text_at(*layer.config, "name");
    if (layer.name.empty()) layer.name = text_at(entry, "name");
    if (layer.class_name.empty() || layer.name.empty() || layer.config == nullptr) {
      refuse(where + ", layer " + std::to_string(plan.layers.size()) +
                 (layer.class_name.empty() ? "" : " (" + escaped(layer.class_name) + ")"),
             is_foreign(layer, entry) ? "it " + std::string(kHoldsCode) : "it lacks a class, a name or its settings.");
      layer.name = "?" + std::to_string(plan.layers.size());  // no file's name, since '?' starts none of Keras's
    }
    layer.path = plan.path.empty() ? layer.name : plan.path + "." + layer.name;
    if (layer.path.size() > kLongestPath) {
      refuse(place_of(place_, layer), "its path is longer than " + std::to_string(kLongestPath) + " bytes.");
      layer.name = layer.path = "?" + std::to_string(plan.layers.size());
      layer.config = nullptr;
    }
    if (!names_.insert(layer.path).second) refuse(place_of(place_, layer), "two layers have this name.");
    if (layer.config != nullptr && is_foreign(layer, entry)) {
      faults_.push_back({place_of(place_, layer),
                         quoted(is_keras_module(layer.module) ? text_at(entry, "registered_name") : layer.module) +
                             " is not Keras's own: the layer " + std::string(kHoldsCode)});
      layer.config = nullptr;
    } else if (layer.config != nullptr && is_model_class(layer.class_name)) {
      layer.model = std::make_unique<ModelPlan>(model(entry, layer.path, depth + 1));
    } else if (layer.config != nullptr && layer.class_name == "TimeDistributed") {
      const Json* inner = object_at(*layer.config, "layer");
      const bool is_model = inner != nullptr && is_model_class(text_at(*inner, "class_name"));
      if (is_model) layer.wrapped = std::make_unique<ModelPlan>(model(*inner, layer.path, depth + 1));
    }
    layer.is_operator = is_operator(layer);
    plan.layers.push_back(std::move(layer));
  }

  static bool is_operator(const LayerPlan& layer) {
    if (!layer.module.empty()) return layer.module.rfind("keras.src.ops.", 0) == 0;
    const bool is_bare = layer.config != nullptr && layer.config->find("trainable") == nullptr;
    const bool is_ambiguous =
        is_bare && find_layer(layer.class_name) != nullptr && layer.config->find("dtype") != nullptr;
    return is_bare && !is_ambiguous && find_operator(layer.class_name) != nullptr;
  }

  // Nothing is looked up by a name in the file: what is not of Keras's own modules is refused.
  static bool is_foreign(const LayerPlan& layer, const Json& entry) {
    const std::string registered = text_at(entry, "registered_name");
    return !is_keras_module(layer.module) || layer.class_name == "function" ||
           (!registered.empty() && registered != layer.class_name);
  }

  // A Sequential's layers, each called on the one before it. Without an InputLayer the input is the built shape's.
  void chain(const Json& config, const Json& json, const std::string& where, ModelPlan& plan) {
    if (plan.layers.empty()) return;
    if (!plan.layers.front().is_input()) {
      const Json* shape = built_shape(config, json, plan.layers.front());
      if (shape == nullptr) {
        refuse(where, "the model says no input shape: it has neither an InputLayer nor a 'build_input_shape'.");
        return;
      }
      LayerPlan input;
      input.name = "input";
      while (names_.contains(plan.path.empty() ? input.name : plan.path + "." + input.name)) input.name += "_1";
      input.class_name = "InputLayer";
      input.path = plan.path.empty() ? input.name : plan.path + "." + input.name;
      Json words;
      words.set("batch_shape", *shape);
      input.own_config = std::make_shared<const Json>(std::move(words));
      input.config = input.own_config.get();
      plan.layers.insert(plan.layers.begin(), std::move(input));
    }
    for (size_t i = 0; i < plan.layers.size(); ++i) {
      Call call;
      if (i > 0) call.arguments.push_back({Made{i - 1, 0, 0}});
      plan.layers[i].calls.push_back(std::move(call));
      if (i > 0 && plan.layers[i].is_input())
        refuse(place_of(place_, plan.layers[i]), "an InputLayer stands behind the first layer.");
    }
    plan.inputs.push_back({plan.layers.front().name, {0, 0, 0}});
    plan.outputs.push_back({plan.layers.back().name, {plan.layers.size() - 1, 0, 0}});
  }

  // Keras 2 says it on the first layer, Keras 3 on the model.
  static const Json* built_shape(const Json& config, const Json& json, const LayerPlan& first) {
    if (const Json* shape = array_at(config, "build_input_shape")) return shape;
    if (first.config != nullptr) {
      if (const Json* shape = array_at(*first.config, "batch_input_shape")) return shape;
    }
    const Json* build = object_at(json, "build_config");
    return build != nullptr ? array_at(*build, "input_shape") : nullptr;
  }

  void connect(const Json& layers, const Json& config, const std::string& where, ModelPlan& plan) {
    std::map<std::string, size_t, std::less<>> by_name;
    for (size_t i = 0; i < plan.layers.size(); ++i) by_name.emplace(plan.layers[i].name, i);
    const CallReader reader(by_name, plan);
    for (size_t i = 0; i < plan.layers.size(); ++i) {
      LayerPlan& layer = plan.layers[i];
      const Json* nodes = array_at(layers.items()[i], "inbound_nodes");
      if (layer.is_input()) {
        layer.calls.emplace_back();
        continue;
      }
      if (nodes == nullptr) {
        refuse(place_of(place_, layer), "'inbound_nodes' is missing, so nothing says what the layer is called on.");
        continue;
      }
      for (const Json& node : nodes->items()) {
        Call call;
        if (std::string what = reader.read(node, call); !what.empty()) refuse(place_of(place_, layer), std::move(what));
        layer.calls.push_back(std::move(call));
      }
    }
    doors(config, "input_layers", reader, where, plan, plan.inputs);
    doors(config, "output_layers", reader, where, plan, plan.outputs);
    check_made(where, plan);
  }

  void doors(const Json& config, std::string_view key, const CallReader& reader, const std::string& where,
             const ModelPlan& plan, std::vector<ModelPlan::DoorPlan>& doors) {
    const Json* found = config.find(key);
    std::set<std::string> taken;
    const auto add = [&](const Json& triple, const std::string* name) {
      Made made;
      if (!reader.read_triple(triple, made)) {
        refuse(where,
               "'" + std::string(key) + "' holds " + shown(triple) + ", and a layer's name and two numbers are read.");
        return;
      }
      std::string door = name != nullptr ? *name : plan.layers[made.layer].name;
      if (!taken.insert(door).second) door += "_" + std::to_string(doors.size());
      doors.push_back({std::move(door), made});
    };
    if (found != nullptr && found->is_object()) {
      for (const auto& [name, triple] : found->members()) add(triple, &name);
    } else if (found != nullptr && found->is_array() && !found->items().empty() && found->items()[0].is_text()) {
      add(*found, nullptr);
    } else if (found != nullptr && found->is_array()) {
      // Outputs that a layer gives as lists of lists stand one behind another.
      const std::function<void(const Json&)> flatten = [&](const Json& item) {
        const bool is_list = item.is_array() && !item.items().empty() && item.items()[0].is_array();
        if (!is_list) return add(item, nullptr);
        for (const Json& inner : item.items()) flatten(inner);
      };
      for (const Json& item : found->items()) flatten(item);
    }
    if (doors.empty()) refuse(where, "'" + std::string(key) + "' names no layer.");
  }

  void check_made(const std::string& where, const ModelPlan& plan) {
    const auto exists = [&](const Made& made) { return made.call < plan.layers[made.layer].calls.size(); };
    const auto missing = [&](const Made& made) {
      return "call " + std::to_string(made.call) + " of layer " + quoted(plan.layers[made.layer].name) +
             " is read, and nothing makes it.";
    };
    for (const LayerPlan& layer : plan.layers) {
      for (const Call& call : layer.calls) {
        for_each_made(call, [&](const Made& made) {
          if (!exists(made)) refuse(place_of(place_, layer), missing(made));
        });
      }
    }
    for (const auto* doors : {&plan.inputs, &plan.outputs}) {
      for (const ModelPlan::DoorPlan& door : *doors) {
        if (!exists(door.made)) refuse(where, missing(door.made));
      }
    }
    for (const ModelPlan::DoorPlan& door : plan.inputs) {
      if (!plan.layers[door.made.layer].is_input())
        refuse(place_of(place_, plan.layers[door.made.layer]), "it is an input of its model, and no InputLayer.");
    }
  }

  // Every call behind those it reads, otherwise in the order of the file.
  void sort(const std::string& where, ModelPlan& plan) {
    if (is_broken_) return;
    std::vector<size_t> first_of_layer;
    std::vector<ModelPlan::Step> steps;
    for (size_t layer = 0; layer < plan.layers.size(); ++layer) {
      first_of_layer.push_back(steps.size());
      for (size_t call = 0; call < plan.layers[layer].calls.size(); ++call) steps.push_back({layer, call});
    }
    std::vector<std::vector<size_t>> readers(steps.size());
    std::vector<size_t> waits_for(steps.size(), 0);
    for (size_t i = 0; i < steps.size(); ++i) {
      for_each_made(plan.layers[steps[i].layer].calls[steps[i].call], [&](const Made& made) {
        readers[first_of_layer[made.layer] + made.call].push_back(i);
        ++waits_for[i];
      });
    }
    std::set<size_t> ready;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (waits_for[i] == 0) ready.insert(i);
    }
    while (!ready.empty()) {
      const size_t next = *ready.begin();
      ready.erase(ready.begin());
      plan.order.push_back(steps[next]);
      for (const size_t reader : readers[next]) {
        if (--waits_for[reader] == 0) ready.insert(reader);
      }
    }
    if (plan.order.size() == steps.size()) return;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (waits_for[i] == 0) continue;
      refuse(place_of(place_, plan.layers[steps[i].layer]),
             "it is called on what it makes itself: the layers form a cycle.");
      return;
    }
    refuse(where, "the layers form a cycle.");
  }

  const std::string& place_;
  std::vector<Fault>& faults_;
  std::set<std::string, std::less<>> names_;
  bool is_broken_ = false;
};

}  // namespace

std::string place_of(const std::string& place, const LayerPlan& layer) {
  return place + ", layer " + quoted(layer.path) + " (" + escaped(layer.class_name) + ")";
}

ModelPlan plan_model(const Json& model, const std::string& place, std::vector<Fault>& faults) {
  return Planner(place, faults).model(model, "", 0);
}

}  // namespace causeway::formats::keras
