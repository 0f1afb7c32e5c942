#include "causeway/formats/keras/model_builder.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/calls.h"
#include "causeway/formats/keras/channels.h"
#include "causeway/nn/network_maker.h"

namespace causeway::formats::keras {
namespace {

constexpr int kMostCalls = 100'000;

}  // namespace

// The batch is open whatever the file says; so are the lengths that it leaves out. A door of values that stand channels
// first behind it is channels last all the same.
Flow ModelBuilder::make_door(const LayerPlan& layer, const std::string& name, bool is_first) {
  if (layer.config == nullptr) return unknown_flow(building_.graph);
  const Call none;
  LayerReader reader(building_, layer, none, {});
  Words& words = reader.words();
  words.ignore({"name", "trainable"});
  for (const char* key : {"sparse", "ragged", "optional"}) words.only_off(key, "only plain inputs are read.");
  const std::string dtype_word = words.text("dtype", "float32");
  const Json* old_shape = words.find("batch_input_shape");
  const Json* shape = words.has("batch_shape") ? words.find("batch_shape") : old_shape;
  words.finish();

  const std::optional<DType> dtype = dtype_named(dtype_word);
  if (!dtype || !(*dtype == DType::Float32 || is_integer(*dtype) || *dtype == DType::Bool)) {
    reader.refuse("its values are " + quoted(dtype_word) + ", and float32, whole numbers and bool are read.");
  }
  std::vector<Dim> dims;
  if (shape == nullptr || !shape->is_array() || shape->items().empty()) {
    reader.refuse("it says no shape.");
  } else {
    dims.push_back(Dim::named(*open_lengths_.insert("N").first));
    for (size_t axis = 1; axis < shape->items().size(); ++axis) {
      const Json& length = shape->items()[axis];
      if (length.is_null()) {
        const std::string length_name = open_lengths_.size() == 1 ? "L" : "L" + std::to_string(open_lengths_.size());
        dims.push_back(Dim::named(*open_lengths_.insert(length_name).first));
      } else if (length.is_integer() && length.integer() > 0 && length.integer() < (int64_t{1} << 31)) {
        dims.push_back(length.integer());
      } else {
        reader.refuse("a length of its shape is " + shown(length) + ", and null and numbers of at least 1 are read.");
        dims.emplace_back();
      }
    }
  }
  for (const Door& door : building_.graph.inputs()) {
    if (door.name == name) reader.refuse("two inputs have the name " + quoted(name) + ".");
  }
  if (reader.is_refused()) return unknown_flow(building_.graph);
  for (Dim& dim : dims) dim = dim.bound(building_.dims);
  is_first = is_first && dims.size() >= 3;
  if (is_first) {
    std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
    building_.notes.push_back("input " + quoted(name) +
                              " is taken channels last, though layers behind it are channels_first.");
  }
  Type type{*dtype, Shape(std::move(dims))};
  // Ids are counted along axes that no letter names.
  std::string axes = type.dtype == DType::Float32 ? nn::channels_last_axes(type.shape.rank()) : std::string();
  const Flow door{building_.graph.input(name, std::move(type), std::move(axes))};
  if (!is_first) return door;
  const Flow turned = Channels{.first = true}.from_last(door);
  layouts_.set_first(turned.value);
  return turned;
}

Flows ModelBuilder::call(const LayerPlan& layer, const Call& call, Flows inputs, bool is_held) {
  // Models that call one another again and again would be built without end.
  if (++calls_ > kMostCalls) {
    throw Refused(building_.file.words_place(),
                  "its models call their layers more than " + std::to_string(kMostCalls) + " times.");
  }
  if (layer.config == nullptr) {
    building_.numbers.pass_over(layer.path);
    return {unknown_flow(building_.graph)};
  }
  if (layer.model) {
    if (inputs.size() != layer.model->inputs.size()) {
      building_.faults.push_back({place_of(building_.file.words_place(), layer),
                                  "it is called on " + std::to_string(inputs.size()) + " values, and has " +
                                      std::to_string(layer.model->inputs.size()) + " inputs."});
      return Flows(layer.model->outputs.size(), unknown_flow(building_.graph));
    }
    return build(*layer.model, inputs, is_held);
  }
  const ScopeGuard scope = building_.graph.scope(layer.path, layer.class_name);
  if (is_held) building_.held.push_back(layer.path);
  LayerReader reader(building_, layer, call, inputs);
  Flows made{read_layer(reader)};
  layouts_.follow(layer, inputs, made[0].value);
  made.insert(made.end(), reader.further().begin(), reader.further().end());
  return made;
}

Flows ModelBuilder::build(const ModelPlan& plan, const Flows& inputs, bool is_held_above) {
  const bool is_top = plan.path.empty();
  const std::vector<bool> first = is_top ? inputs_channels_first(plan) : std::vector<bool>{};
  const bool is_held = is_held_above || plan.is_held;
  std::vector<std::vector<Flows>> made(plan.layers.size());  // by layer, call, output
  const auto value_of = [&](const LayerPlan* reader, const Made& from) {
    const Flows& outputs = made[from.layer][from.call];
    if (from.output < outputs.size()) return outputs[from.output];
    if (!outputs.empty() && !outputs[0].value.shape().has_rank()) return unknown_flow(building_.graph);
    building_.faults.push_back(
        {reader != nullptr ? place_of(building_.file.words_place(), *reader) : building_.file.words_place(),
         "output " + std::to_string(from.output) + " of layer " + quoted(plan.layers[from.layer].name) +
             " is read, and it makes " + std::to_string(outputs.size()) + "."});
    return unknown_flow(building_.graph);
  };
  // The inputs stand in the order in which the model names them, wherever its list of layers has them.
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const size_t at = plan.inputs[i].made.layer;
    made[at] = {Flows{is_top ? make_door(plan.layers[at], plan.inputs[i].name, first[i]) : inputs[i]}};
  }
  for (const ModelPlan::Step& step : plan.order) {
    const LayerPlan& layer = plan.layers[step.layer];
    made[step.layer].resize(layer.calls.size());
    if (layer.is_input()) continue;
    Flows arguments;
    for_each_made(layer.calls[step.call], [&](const Made& from) { arguments.push_back(value_of(&layer, from)); });
    made[step.layer][step.call] = call(layer, layer.calls[step.call], std::move(arguments), is_held);
  }
  Flows outputs;
  for (const ModelPlan::DoorPlan& door : plan.outputs) outputs.push_back(value_of(nullptr, door.made));
  return outputs;
}

Value ModelBuilder::at_door(const Flow& output) const {
  return layouts_.is_first(output.value) ? Channels{.first = true}.to_last(output).value : output.value;
}

}  // namespace causeway::formats::keras
