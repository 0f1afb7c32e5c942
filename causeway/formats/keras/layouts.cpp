#include "causeway/formats/keras/layouts.h"

#include <algorithm>

#include "causeway/formats/keras/calls.h"

namespace causeway::formats::keras {
namespace {

// Classes that work on each number, or along axes their settings count, whatever the axes mean.
constexpr std::string_view kWithoutLayout[] = {
    "Activation",
    "Add",
    "AlphaDropout",
    "Average",
    "BatchNormalization",
    "Concatenate",
    "Dropout",
    "ELU",
    "GaussianDropout",
    "GaussianNoise",
    "GroupNormalization",
    "Identity",
    "LayerNormalization",
    "LeakyReLU",
    "Maximum",
    "Minimum",
    "Multiply",
    "Normalization",
    "PReLU",
    "RMSNormalization",
    "ReLU",
    "Rescaling",
    "Softmax",
    "Subtract",
    "UnitNormalization",
};

bool is_without_layout(const LayerPlan& layer) {
  return std::find(std::begin(kWithoutLayout), std::end(kWithoutLayout), layer.class_name) != std::end(kWithoutLayout);
}

// A flatten only says in which order it reads what it is handed.
bool says_first(const LayerPlan& layer) {
  const Json* format = layer.config != nullptr ? layer.config->find("data_format") : nullptr;
  return format != nullptr && *format == Json("channels_first") && layer.class_name != "Flatten";
}

}  // namespace

// From the last call to the first, so that every call's readers were looked at before it.
std::vector<bool> inputs_channels_first(const ModelPlan& plan) {
  std::vector<std::vector<bool>> wanted(plan.layers.size()), of_models(plan.layers.size());
  for (size_t i = 0; i < plan.layers.size(); ++i) {
    wanted[i].resize(plan.layers[i].calls.size(), false);
    if (plan.layers[i].model) of_models[i] = inputs_channels_first(*plan.layers[i].model);
  }
  for (size_t i = plan.order.size(); i-- > 0;) {
    const ModelPlan::Step step = plan.order[i];
    const LayerPlan& layer = plan.layers[step.layer];
    const std::vector<bool>& of_model = of_models[step.layer];
    const bool every = says_first(layer) || (is_without_layout(layer) && wanted[step.layer][step.call]);
    size_t argument = 0;
    for_each_made(layer.calls[step.call], [&](const Made& made) {
      const bool is_first = layer.model ? argument < of_model.size() && of_model[argument] : every;
      if (is_first) wanted[made.layer][made.call] = true;
      ++argument;
    });
  }
  std::vector<bool> inputs;
  for (const ModelPlan::DoorPlan& door : plan.inputs) inputs.push_back(wanted[door.made.layer][door.made.call]);
  return inputs;
}

void Layouts::follow(const LayerPlan& layer, const std::vector<Flow>& inputs, const Value& output) {
  if (!output.shape().has_rank() || output.shape().rank() < 3) return;
  bool from_first = false;
  for (const Flow& input : inputs) from_first = from_first || is_first(input.value);
  if (says_first(layer) || (from_first && is_without_layout(layer))) set_first(output);
}

}  // namespace causeway::formats::keras
