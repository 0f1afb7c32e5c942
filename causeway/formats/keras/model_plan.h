#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"

namespace causeway::formats::keras {

/// What a layer's call made: output `output` of call number `call` of a layer of the same model.
struct Made {
  size_t layer = 0, call = 0, output = 0;
};

/// One thing a layer is called with: what another call made, a list of such things, or a value written in the words.
struct Argument {
  std::variant<Made, std::vector<Argument>, const Json*> is;

  const Made* made() const { return std::get_if<Made>(&is); }
  const std::vector<Argument>* list() const { return std::get_if<std::vector<Argument>>(&is); }
  const Json* value() const {
    const Json* const* json = std::get_if<const Json*>(&is);
    return json != nullptr ? *json : nullptr;
  }
};

struct Call {
  std::vector<Argument> arguments;
  std::vector<std::pair<std::string, Argument>> named;
};

struct ModelPlan;

struct LayerPlan {
  std::string name, class_name, module;
  std::string path;                                  ///< Under the models around it, with dots: "inner.dense".
  const Json* config = nullptr;                      ///< Its settings, an object; null where the layer was refused.
  std::shared_ptr<const Json> own_config = nullptr;  ///< Settings that the file leaves unsaid.
  std::vector<Call> calls;
  std::unique_ptr<ModelPlan> model;  ///< Of a nested model.
  std::unique_ptr<ModelPlan>
      wrapped;  ///< Of a model that the layer walks over steps; its layers lie under the layer's.

  bool is_input() const { return class_name == "InputLayer"; }
  /// An .h5 says no modules; what has no settings of a layer's and a name of an operator's is one.
  bool is_operator = false;
};

/// Which layer of a model is called on what, with every name looked up and in an order in which each call comes after
/// what it reads.
struct ModelPlan {
  std::string name, path;
  bool is_sequential = false, is_held = false;
  std::vector<LayerPlan> layers;
  struct DoorPlan {
    std::string name;
    Made made;
  };
  std::vector<DoorPlan> inputs, outputs;
  struct Step {
    size_t layer = 0, call = 0;
  };
  std::vector<Step> order;
};

/// `place` is where the words stand ("config.json"). Faults are gathered, and what could be understood is given: a model
/// whose calls do not fit together has no order.
ModelPlan plan_model(const Json& model, const std::string& place, std::vector<Fault>& faults);

/// "config.json, layer 'inner.dense' (Dense)".
std::string place_of(const std::string& place, const LayerPlan& layer);

}  // namespace causeway::formats::keras
