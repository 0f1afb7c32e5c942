#include "causeway/formats/keras/layer_reader.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/activations.h"

namespace causeway::formats::keras {
namespace {

constexpr std::string_view kHoldsCode =
    "holds code, and a file is data. Rewrite it in layers, or export the model as ONNX.";

size_t count_made(const Argument& argument) {
  size_t count = argument.made() != nullptr ? 1 : 0;
  if (argument.list() == nullptr) return count;
  for (const Argument& item : *argument.list()) count += count_made(item);
  return count;
}

}  // namespace

const Call& no_call() {
  static const Call kNone;
  return kNone;
}

LayerReader::LayerReader(Building& building, const LayerPlan& plan, const Call& call, Flows inputs, std::string inner)
    : building_(building),
      plan_(plan),
      call_(call),
      all_inputs_(std::move(inputs)),
      inner_(std::move(inner)),
      place_(place_of(building.file.words_place(), plan)),
      words_(*plan.config, [this](std::string what) { refuse(std::move(what)); }),
      maker_(building.graph, plan.path, building.starts) {
  // A wrapper hands over what it is called on, whatever the call itself reads.
  size_t count = 0;
  for (const Argument& argument : call.arguments) count += count_made(argument);
  if (count == 0 || count > all_inputs_.size()) count = all_inputs_.size();
  inputs_.assign(all_inputs_.begin(), all_inputs_.begin() + static_cast<std::ptrdiff_t>(count));
  maker_.first_numbers = [this](const std::string& path, const std::vector<int64_t>& lengths) {
    return first_numbers(path, lengths);
  };
}

// A layer called twice would say each of its faults and notes twice.
void LayerReader::refuse(std::string what) {
  is_refused_ = true;
  if (building_.said.emplace(place_, what).second) building_.faults.push_back({place_, std::move(what)});
}

void LayerReader::note(std::string what) {
  if (!building_.said.emplace(place_, what).second) return;
  building_.notes.push_back("layer " + quoted(plan_.path) + " (" + escaped(plan_.class_name) + ") " + std::move(what));
}

Flow LayerReader::build(const nn::Layer& layer, const Flows& from) {
  if (is_refused_) throw Unknown{};
  return layer.build(maker_, from);
}

Flow LayerReader::activated(const Json* activation, Flow y) {
  if (activation == nullptr || *activation == Json("linear")) return y;
  if (is_keras_layer(*activation)) {
    LayerPlan inner;
    inner.name = "activation";
    inner.class_name = activation->find("class_name")->text();
    inner.path = plan_.path + ".activation";
    inner.config = activation->find("config");
    const ScopeGuard scope = graph().scope(inner.path, inner.class_name);
    LayerReader reader(building_, inner, no_call(), {y});
    const Flow made = read_layer(reader);
    is_refused_ = is_refused_ || reader.is_refused();
    return made;
  }
  const std::optional<std::string> said = activation_word(*activation);
  if (!said) {
    refuse("its activation " + shown(*activation) + " " + std::string(kHoldsCode));
    return y;
  }
  const std::string& word = *said;
  const std::string_view kind = activation_kind(word);
  if (kind.empty()) {
    refuse("'activation' is " + quoted(word) + ", and the words read are " + activation_words() + ".");
    return y;
  }
  const ScopeGuard scope = graph().scope(plan_.path + ".activation", std::string(kind));
  return apply_activation(word, y, maker_, is_keras_2());
}

}  // namespace causeway::formats::keras
