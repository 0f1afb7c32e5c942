#include "causeway/nn/layer_words.h"

#include <algorithm>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/nn/layer_list.h"

namespace causeway::nn {
namespace {

constexpr int kMostDepth = 16;
// Counted with each call: networks in networks, each called again, would make exponentially many of few words.
constexpr int kMostLayers = 100'000;

// What every layer may state beside its own settings.
const std::vector<std::string_view> kLayerKeys{"kind", "name", "from", "activation", "trainable"};
const std::vector<std::string_view> kInnerKeys{"kind", "name", "from", "trainable", "layers", "inputs", "outputs"};
const std::vector<std::string_view> kAgainKeys{"kind", "name", "from", "layer", "reverse"};

std::string nearest_sentence(std::string_view name, const std::vector<std::string_view>& known) {
  const std::string nearest = nearest_word(name, known);
  return nearest.empty() ? "" : " The nearest is " + quoted(nearest) + ".";
}

std::string taken(const std::string& name) {
  return "the name " + quoted(name) + " is taken by a layer or input above.";
}

std::vector<std::string_view> names_of(const NamedFlows& flows) {
  std::vector<std::string_view> names;
  for (const auto& [name, flow] : flows) names.push_back(name);
  return names;
}

}  // namespace

void LayerWords::say(const Json& at, std::string what) { maker_.fault(place_in(where_, at), std::move(what)); }

// What stands for a layer that could not be read.
Flow LayerWords::unknown() { return {maker_.graph().shared_input("@unknown", Type{})}; }

void LayerWords::start(const std::string& name, const Flow& input, const Json& at) {
  keep(name, input, at);
  inputs_.push_back(name);
  last_ = inputs_.size() == 1 ? input : Flow{};
}

void LayerWords::read(const Json& network) {
  const Json* layers = network.find("layers");
  if (!layers || !layers->is_array() || layers->items().empty()) {
    say(layers ? *layers : network, "\"layers\" is a list of one layer or more.");
    return;
  }
  for (size_t i = 0; i < layers->items().size(); ++i) read_layer(layers->items()[i], std::to_string(i));
}

void LayerWords::read_layer(const Json& stated, const std::string& number) {
  Json::Object alone;
  if (stated.is_text()) alone.emplace_back("kind", stated);
  Json short_form(std::move(alone));
  short_form.set_place(stated.line(), stated.column());
  const Json& layer = stated.is_text() ? short_form : stated;
  const Json* kind = layer.is_object() ? layer.find("kind") : nullptr;
  if (!kind || !kind->is_text()) {
    say(stated, "a layer is a word, or an object with its \"kind\".");
    last_ = unknown();
    return;
  }

  const Json* stated_name = layer.find("name");
  if (++layers_ > kMostLayers) {
    say(layer, "the network has more than " + std::to_string(kMostLayers) +
                   " layers, counted with each call of a layer, which are the most.");
    refuse_if_any(std::move(maker_.faults()));
  }
  std::string name = stated_name ? name_of(*stated_name, number) : number;
  if (maker_.named().contains(name)) {
    say(layer, taken(name));
    // Its other faults are told as well, and by a name that no layer can state it is no second call of the one above.
    name += "@" + number;
  }
  Flow made;
  if (kind->text() == "again") {
    made = call_again(layer, name);
  } else if (!take_path(path_of(name), layer)) {
    made = unknown();
  } else {
    stated_.insert_or_assign(path_of(name), layer);
    made = make({path_of(name), name}, layer, inputs_of(layer));
  }
  keep(name, made, layer);
  last_ = made;
  if (const Json* trainable = kind->text() == "again" ? nullptr : layer.find("trainable")) {
    if (!trainable->is_bool()) {
      say(*trainable, "'trainable' is true or false.");
    } else if (!trainable->boolean()) {
      maker_.hold(path_of(name));
    }
  }
}

std::string LayerWords::name_of(const Json& name, const std::string& otherwise) {
  const bool fits = name.is_text() && !name.text().empty() && name.text().find_first_of("#/@") == std::string::npos;
  if (fits) return name.text();
  say(name, "a name is a text without '#', '/' and '@'.");
  return otherwise;
}

// A layer and the activation it carries; some have an inner activation of their own under that word.
Flow LayerWords::make(const Place& place, const Json& layer, const std::vector<Flow>& from) {
  const Json& kind = *layer.find("kind");
  if (kind.text() == "network") return read_inner(place, layer, from);
  Flow made = make_one(place, layer, kind, from, kLayerKeys);
  const Json* activation = layer.find("activation");
  const LayerRow* row = layer_row(kind.text());
  if (!activation || activation->is_null() || (row && row->has_setting("activation"))) return made;
  const Place below{place.path + ".activation", place.name + ".activation"};
  if (!take_path(below.path, *activation)) return unknown();
  if (activation->is_text()) {
    Json short_form{Json::Object{}};
    short_form.set_place(activation->line(), activation->column());
    made = make_one(below, short_form, *activation, {&made, 1}, {});
  } else if (const Json* word = activation->is_object() ? activation->find("kind") : nullptr; word && word->is_text()) {
    made = make_one(below, *activation, *word, {&made, 1}, {"kind"});
  } else {
    say(*activation, "an activation is a word, or an object with its \"kind\".");
  }
  keep(below.name, made, *activation);
  return made;
}

Flow LayerWords::make_one(const Place& place, const Json& settings, const Json& kind, std::span<const Flow> from,
                          const std::vector<std::string_view>& others) {
  const LayerRow* row = layer_row(kind.text());
  if (!row) {
    say(kind, quoted(kind.text()) + " is no layer." + nearest_layer_sentence(kind.text()));
    return unknown();
  }
  const size_t before = maker_.faults().size();
  const Layer layer = row->read(settings, where_, others, maker_.faults());
  if (maker_.faults().size() > before) return unknown();
  return maker_.add(place.path, layer, from,
                    place_in(where_, settings) + ", layer " + quoted(place.path) + " (" + std::string(row->kind) + ")",
                    place.name);
}

// {"kind": "again", "layer": PATH}: the same slots, on other values; "reverse" of a reversible_embedding.
Flow LayerWords::call_again(const Json& layer, const std::string& name) {
  for (const auto& [key, value] : layer.members()) {
    if (std::find(kAgainKeys.begin(), kAgainKeys.end(), key) != kAgainKeys.end()) continue;
    say(value, "'again' has no setting " + quoted(key) + "." + nearest_sentence(key, kAgainKeys));
  }
  const Json* which = layer.find("layer");
  const std::vector<Flow> from = inputs_of(layer);
  if (!which || !which->is_text()) {
    say(which ? *which : layer, "'again' names in \"layer\" the path of a layer or inner network above.");
    return unknown();
  }
  const auto at = stated_.find(path_of(which->text()));
  if (at == stated_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [path, words] : stated_) {
      if (path.starts_with(prefix_)) known.push_back(std::string_view(path).substr(prefix_.size()));
    }
    say(*which, "no layer or inner network above is named " + quoted(which->text()) + "." +
                    nearest_sentence(which->text(), known));
    return unknown();
  }
  Json words = at->second;  // of its own: an inner network names its layers anew
  // Which way it is called is a matter of each call.
  const Json* reverse = layer.find("reverse");
  if (words.find("kind")->text() == ReversibleEmbedding::kWord) {
    words.set("reverse", reverse ? *reverse : Json(false));
  } else if (reverse) {
    say(*reverse, "'reverse' calls a reversible_embedding the other way round, and " + quoted(which->text()) + " is " +
                      words.find("kind")->text() + ".");
    return unknown();
  }
  words.set_place(layer.line(), layer.column());
  const bool was_again = std::exchange(is_again_, true);
  const Flow made = make({at->first, name}, words, from);
  is_again_ = was_again;
  return made;
}

// {"kind": "network", "layers": […]}: its layers lie under its path, and it takes what it is handed under the names of its
// "inputs".
Flow LayerWords::read_inner(const Place& place, const Json& network, const std::vector<Flow>& from) {
  for (const auto& [key, value] : network.members()) {
    if (std::find(kInnerKeys.begin(), kInnerKeys.end(), key) != kInnerKeys.end()) continue;
    say(value, "a network inside a network has no " + quoted(key) + "." + nearest_sentence(key, kInnerKeys));
  }
  if (++depth_ > kMostDepth) {
    say(network, "networks lie in one another more than " + std::to_string(kMostDepth) + " deep.");
    --depth_;
    return unknown();
  }
  const std::string prefix = std::exchange(prefix_, place.path + ".");
  const Flow last = std::exchange(last_, {});
  std::vector<std::string> inputs = std::exchange(inputs_, {});
  NamedFlows outside = maker_.open_names();
  const std::vector<std::string> names = inner_inputs(network, from.size());
  for (size_t i = 0; i < names.size(); ++i) start(names[i], from[i], network);
  read(network);

  std::vector<std::pair<std::string, Flow>> outputs;
  if (const Json* stated = network.find("outputs"); stated && stated->is_array() && !stated->items().empty()) {
    for (const Json& name : stated->items()) outputs.emplace_back(name.is_text() ? name.text() : "", named(name));
  } else if (stated) {
    say(*stated, "\"outputs\" is a list of paths.");
  }
  Flow made = outputs.empty() ? last_ : outputs[0].second;
  maker_.close_names(std::move(outside));
  prefix_ = prefix;
  last_ = last;
  inputs_ = std::move(inputs);
  --depth_;
  if (outputs.size() > 1) {
    for (const auto& [name, flow] : outputs) keep(place.name + "." + name, flow, network);
  }
  return made.value ? made : unknown();
}

// As many names as values are handed to it.
std::vector<std::string> LayerWords::inner_inputs(const Json& network, size_t count) {
  const Json* stated = network.find("inputs");
  std::vector<std::string> names;
  if (!stated) {
    names.push_back("input");
  } else if (stated->is_array()) {
    for (const Json& name : stated->items()) names.push_back(name_of(name, "input"));
  } else {
    say(*stated,
        "the \"inputs\" of a network inside a network are a list of names: what is handed to it says the shapes.");
    names.push_back("input");
  }
  if (names.size() != count) {
    say(stated ? *stated : network, "it takes " + std::to_string(names.size()) +
                                        (names.size() == 1 ? " value" : " values") + ", and " + std::to_string(count) +
                                        " are handed to it.");
    names.resize(std::min(names.size(), count));
  }
  return names;
}

std::vector<Flow> LayerWords::inputs_of(const Json& layer) {
  const Json* from = layer.find("from");
  if (!from) {
    if (last_.value) return {last_};
    if (inputs_.size() > 1) {
      say(layer, "it is the first layer, and the inputs are " + quoted_list({inputs_.begin(), inputs_.end()}) +
                     ": name what it takes with 'from'.");
    }
    return {unknown()};  // no value where the input does not fit
  }
  std::vector<Flow> flows;
  if (from->is_text()) {
    flows.push_back(named(*from));
  } else if (from->is_array() && !from->items().empty()) {
    for (const Json& name : from->items()) flows.push_back(named(name));
  } else {
    say(*from, "'from' is the path of a layer or input above, or a list of such.");
    flows.push_back(unknown());
  }
  return flows;
}

Flow LayerWords::named(const Json& name) {
  if (!name.is_text()) {
    say(name, "the path of a layer or input above is read here.");
    return unknown();
  }
  const auto at = maker_.named().find(name.text());
  if (at != maker_.named().end()) return at->second;
  say(name, "no layer or input above is named " + quoted(name.text()) + "." +
                nearest_sentence(name.text(), names_of(maker_.named())));
  return unknown();
}

bool LayerWords::take_path(const std::string& path, const Json& at) {
  if (is_again_) return true;
  const auto [first, is_new] = taken_.emplace(path, at.place());
  if (is_new) return true;
  say(at, "its path " + quoted(path) + " is that of the layer at " + first->second +
              " too. Name one of the two otherwise.");
  return false;
}

void LayerWords::keep(const std::string& name, const Flow& flow, const Json& at) {
  if (!maker_.name(name, flow)) say(at, taken(name));
}

}  // namespace causeway::nn
