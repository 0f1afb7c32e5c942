#include "causeway/formats/keras/layer_reader.h"

#include <algorithm>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/keras/activations.h"
#include "causeway/formats/keras/layer_table.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/ops/build.h"
#include "causeway/ops/elementary.h"

namespace causeway::formats::keras {
namespace {

constexpr std::string_view kHoldsCode =
    "holds code, and a file is data. Rewrite it in layers, or export the model as ONNX.";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// A dtype is a word, or a policy object with a name.
void check_precision(Words& words) {
  const Json* dtype = words.find("dtype");
  if (dtype == nullptr) return;
  const Json* class_name = dtype->find("class_name");
  const Json* config = dtype->find("config");
  const Json* name = config != nullptr ? config->find("name") : nullptr;
  if (class_name != nullptr && class_name->is_text() && class_name->text().rfind("Quantized", 0) == 0) {
    words.refuse("it is quantised, and int8 and float8 kernels are not read.");
    return;
  }
  const Json& word = dtype->is_object() && name != nullptr ? *name : *dtype;
  if (word.is_text() && word.text() == "float32") return;
  words.refuse("it computes in " + (word.is_text() ? escaped(word.text()) : shown(word)) +
               ", and only float32 is read. Build it under keras.config.set_dtype_policy(\"float32\"), load these "
               "weights, and save again.");
}

// The settings every layer has, and those that change no answer.
void read_common(LayerReader& reader) {
  Words& words = reader.words();
  words.ignore({"name", "trainable", "build_config", "seed", "batch_input_shape", "jit_compile"});
  for (const auto& [key, value] : words.json().members()) {
    const bool is_rule = ends_with(key, "_regularizer") || ends_with(key, "_constraint");
    if (ends_with(key, "_initializer") || (is_rule && value.is_null())) words.ignore({key});
  }
  check_precision(words);
  words.only_off("quantization_config", "a quantised layer's int8 and float8 kernels are not read.");
  if (const Json* activity = words.find("activity_regularizer")) {
    words.refuse("'activity_regularizer' is " + shown(*activity) +
                 ": it penalises what the layer makes, and only numbers are penalised here.");
  }
}

// What a call is given beside its inputs.
void check_named(LayerReader& reader) {
  for (const auto& [name, argument] : reader.call().named) {
    const Json* value = argument.value();
    const bool is_off = value != nullptr && value->is_bool() && !value->boolean();
    if (name == "training" && is_off) continue;
    reader.refuse("it is called with " + quoted(name) + (value != nullptr ? " " + shown(*value) : "") +
                  ", and this is not read.");
  }
}

std::string unknown_class(const std::string& class_name) {
  std::vector<std::string_view> known;
  for (const LayerRow& row : layer_table()) known.push_back(row.class_name);
  const std::string nearest = nearest_word(class_name, known);
  return "no layer of this class is read." + (nearest.empty() ? "" : " Is " + quoted(nearest) + " meant?");
}

}  // namespace

LayerReader::LayerReader(Building& building, const LayerPlan& plan, Values inputs, bool is_held)
    : building_(building),
      plan_(plan),
      inputs_(std::move(inputs)),
      is_held_(is_held),
      place_(place_of(building.file.words_place(), plan)),
      words_(*plan.config, [this](std::string what) { refuse(std::move(what)); }) {}

// A layer called twice would say each of its faults twice.
void LayerReader::refuse(std::string what) {
  is_refused_ = true;
  Fault fault{place_, std::move(what)};
  std::vector<Fault>& faults = building_.faults;
  if (std::find(faults.begin(), faults.end(), fault) == faults.end()) faults.push_back(std::move(fault));
}

void LayerReader::note(std::string what) {
  std::string text = "layer " + quoted(plan_.path) + " (" + escaped(plan_.class_name) + ") " + std::move(what);
  std::vector<std::string>& notes = building_.notes;
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

Value LayerReader::x() {
  if (inputs_.size() != 1) {
    unfit("it is called on " + std::to_string(inputs_.size()) + " values, and one is read.");
  }
  return inputs(1)[0];
}

const Values& LayerReader::inputs(size_t least) {
  if (inputs_.size() < least) {
    unfit("it is called on " + std::to_string(inputs_.size()) + " values, and at least " + std::to_string(least) +
          " are read.");
  }
  for (const Value input : inputs_) {
    if (!input.shape().has_rank()) throw Unknown{};
  }
  return inputs_;
}

Value LayerReader::x_of_rank(size_t rank) {
  const Value value = x();
  if (value.shape().rank() != rank) {
    unfit("it is called on " + value.shape().text() + ", and " + std::to_string(rank) + " axes are read.");
  }
  return value;
}

std::pair<Value, Value> LayerReader::two_operands() {
  const std::vector<Argument>& arguments = call_->arguments;
  if (arguments.size() != 2)
    unfit("it is called on " + std::to_string(arguments.size()) + " values, and two are read.");
  size_t next = 0;
  inputs(1);
  const auto operand = [&](const Argument& argument) {
    if (argument.made() != nullptr) return inputs_[next++];
    const Json* number = argument.value();
    if (number == nullptr || !number->is_number()) unfit("it is called on a list, and values and numbers are read.");
    return ops::number_like(inputs_[0], number->number());
  };
  const Value first = operand(arguments[0]);
  return {first, operand(arguments[1])};
}

int64_t LayerReader::length(Value x, int64_t axis) const {
  const Dim& dim = x.shape().at(axis);
  if (!dim.is_number()) {
    unfit("it is called on " + x.shape().text() + ", and its numbers depend on a length that is open.");
  }
  return dim.number();
}

void LayerReader::set_rules(const NumberWords& words, Slot& slot) {
  if (words.role != Role::Learned) return;
  const std::string& variable = words.name.variable;
  slot.penalty = read_penalty(words_, variable + "_regularizer");
  const std::optional<float> limit =
      read_max_norm(words_, variable + "_constraint", words.unit_axes_in_file, words.lengths.size());
  if (limit) slot.max_norm = Bound{*limit, words.unit_axes};
}

// Stands for a slot whose numbers cannot be taken: the layer goes on, and the file is refused in the end.
Value LayerReader::stand_in(const NumberWords& words) {
  Slot slot;
  slot.path = building_.slots.free_path("?" + plan_.path + "." + words.slot);
  slot.role = Role::Constant;
  return graph().add_typed(ops::Identity{}, {graph().declare(std::move(slot))},
                           {Type{DType::Float32, Shape::of(words.lengths)}})[0];
}

Value LayerReader::number(NumberWords words) {
  if (is_refused_) throw Unknown{};  // its settings do not hold, so neither would its shape
  Slot slot;
  slot.path = plan_.path + "." + words.slot;
  slot.role = words.role;
  slot.held = is_held_;
  set_rules(words, slot);
  if (building_.slots.find(slot.path) != nullptr) return graph().slot(slot.path);

  const std::optional<Hdf5Object> object = building_.numbers.take(plan_.path, words.name);
  if (!object) {
    refuse_number("slot " + quoted(slot.path),
                  quoted(slot.path) + " is missing: every slot of the network is written once.");
    return stand_in(words);
  }
  const std::string where = building_.file.place_of(object->path());
  const std::vector<int64_t> in_file = words.turn.lengths_in_file(words.lengths);
  try {
    const Hdf5Dataset dataset = object->dataset();
    if (dataset.lengths() != in_file) {
      refuse_number(where, quoted(slot.path) + " is " + text_of(dataset.lengths()) +
                               " in the file, and its slot here is " + text_of(in_file) + ".");
      return stand_in(words);
    }
    building_.entries.push_back({slot.path, dataset.read(), std::move(words.turn), where});
  } catch (const Refused& refused) {
    for (const Fault& fault : refused.faults()) refuse_number(where, fault.what);
    return stand_in(words);
  }
  // Memory that load() writes; a file whose dataset has passed explains how much of it there is.
  slot.numbers = Tensor::uninitialized(DType::Float32, std::move(words.lengths));
  return graph().declare(std::move(slot));
}

Value LayerReader::activated(const Json* activation, Value x) {
  if (activation == nullptr || *activation == Json("linear")) return x;
  const Json* class_name = activation->find("class_name");
  const Json* config = activation->find("config");
  const Json* module = activation->find("module");
  const bool is_of_keras =
      module == nullptr || !module->is_text() || module->text() == "builtins" || module->text().rfind("keras", 0) == 0;
  std::string word;
  if (activation->is_text()) {
    word = activation->text();
  } else if (is_of_keras && class_name != nullptr && class_name->is_text() && config != nullptr) {
    if (class_name->text() == "function" && config->is_text()) word = config->text();
    if (class_name->text() != "function" && config->is_object()) {
      LayerPlan inner;
      inner.name = "activation";
      inner.class_name = class_name->text();
      inner.path = plan_.path + ".activation";
      inner.config = config;
      LayerReader reader(building_, inner, {x}, is_held_);
      const Call call{{{Made{}}}, {}};
      reader.set_call(call);
      const ScopeGuard scope = graph().scope(inner.path, inner.class_name);
      const Value y = read_layer(reader);
      is_refused_ = is_refused_ || reader.is_refused();
      return y;
    }
  }
  if (word.empty()) {
    refuse("its activation " + shown(*activation) + " " + std::string(kHoldsCode));
    return x;
  }
  const ScopeGuard scope = graph().scope(plan_.path + ".activation", "Activation");
  const Value y = apply_word(word, x, is_keras_2());
  if (y) return y;
  refuse("'activation' is " + quoted(word) + ", and the words read are " + known_words() + ".");
  return x;
}

Value unknown_value(GraphBuilder& graph) { return graph.add_typed(ops::Identity{}, {graph.scalar(0.0f)}, {Type{}})[0]; }

Value read_layer(LayerReader& reader) {
  const LayerPlan& plan = reader.plan();
  const auto unknown = [&] {
    reader.building().numbers.pass_over(plan.path);
    return unknown_value(reader.graph());
  };
  const LayerRow* row = plan.is_operator() ? find_operator(plan.class_name) : find_layer(plan.class_name);
  if (row == nullptr && plan.is_operator()) {
    reader.refuse("the operator " + quoted(plan.module + "." + plan.class_name) + " is not read.");
    return unknown();
  }
  if (row == nullptr || row->read == nullptr) {
    reader.refuse(row == nullptr ? unknown_class(plan.class_name) : std::string(row->refused));
    return unknown();
  }
  read_common(reader);
  if (!plan.is_operator()) check_named(reader);
  Value y;
  try {
    y = row->read(reader);
  } catch (const LayerReader::Unknown&) {
    // The rules of its numbers are read beside them, so those were not come to.
    for (const auto& [key, value] : plan.config->members()) {
      if (ends_with(key, "_regularizer") || ends_with(key, "_constraint")) reader.words().ignore({key});
    }
  } catch (const Unfit& reason) {
    reader.refuse(reason.what());
    return unknown();
  }
  reader.words().finish();
  return reader.is_refused() || !y ? unknown() : y;
}

Value Channels::to_last(Value x) const {
  if (!first) return x;
  std::vector<size_t> axes{0};
  for (size_t axis = 2; axis < x.shape().rank(); ++axis) axes.push_back(axis);
  axes.push_back(1);
  return ops::transpose(x, axes);
}

Value Channels::from_last(Value y) const {
  if (!first) return y;
  std::vector<size_t> axes{0, y.shape().rank() - 1};
  for (size_t axis = 1; axis + 1 < y.shape().rank(); ++axis) axes.push_back(axis);
  return ops::transpose(y, axes);
}

Channels read_channels(Words& words) {
  return {words.word("data_format", "channels_last", {"channels_last", "channels_first"}) == "channels_first"};
}

ops::Window read_window(Words& words, std::vector<int64_t> size, std::vector<int64_t> stride,
                        std::vector<int64_t> dilation, bool causal) {
  std::vector<std::string_view> known = {"valid", "same"};
  if (causal) known.push_back("causal");
  const std::string padding = words.word("padding", "valid", known);
  ops::Window window = ops::Window::of(std::move(size));
  window.stride = std::move(stride);
  window.dilation = std::move(dilation);
  if (padding == "same") window.border = ops::Border::SameUpper;
  if (padding == "causal") window.before[0] = window.reach(0) - 1;
  return window;
}

}  // namespace causeway::formats::keras
