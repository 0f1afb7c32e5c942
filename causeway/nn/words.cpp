#include "causeway/nn/words.h"

#include <algorithm>
#include <array>
#include <set>

#include "causeway/base/quoted.h"
#include "causeway/nn/layer_list.h"
#include "causeway/nn/lifting.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/named_lengths.h"
#include "causeway/nn/network_maker.h"

namespace causeway {
namespace {

using nn::place_in;

constexpr std::array<std::string_view, 5> kNetworkKeys{"input", "inputs", "layers", "outputs", "loss"};
// What every layer may state beside its own settings.
const std::vector<std::string_view> kLayerKeys{"kind", "name", "from", "activation", "trainable"};

// Reads one network's words, layer by layer, into a maker.
class WordsReader {
 public:
  WordsReader(const Json& json, std::string where, const WordsOptions& options)
      : json_(json), where_(std::move(where)), options_(options) {}

  SavedNetwork read() {
    if (!json_.is_object()) {
      throw Refused(place_in(where_, json_), "a network is an object with its \"layers\", and " +
                                                 std::string(json_.kind_name()) + " stands here.");
    }
    refuse_unknown_keys();
    read_inputs();
    for (Fault& fault : nn::unknown_lengths(options_.dims, lengths_)) {
      maker_.fault(std::move(fault.where), std::move(fault.what));
    }
    read_layers();
    read_outputs();
    nn::NetworkMaker::Made made = std::move(maker_).finish();
    if (options_.seed) nn::draw_starts(made.network.slots(), made.starts, *options_.seed);
    SavedNetwork saved{.network = std::move(made.network)};
    // With lengths bound from outside, the words alone would make another network.
    if (options_.dims.empty()) saved.words = json_.dump();
    read_losses(saved);
    return saved;
  }

 private:
  void say(const Json& at, std::string what) { maker_.fault(place_in(where_, at), std::move(what)); }

  void refuse_unknown_keys() {
    for (const auto& [key, value] : json_.members()) {
      if (std::find(kNetworkKeys.begin(), kNetworkKeys.end(), key) != kNetworkKeys.end()) continue;
      const std::string nearest = nearest_word(key, {kNetworkKeys.begin(), kNetworkKeys.end()});
      say(value, "a network has no " + quoted(key) + "." +
                     (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
    }
  }

  void read_inputs() {
    const Json *one = json_.find("input"), *several = json_.find("inputs");
    if (one && several) say(*several, "either \"input\" or \"inputs\" is stated, and both are here.");
    if (several && several->is_object() && !several->members().empty()) {
      for (const auto& [name, door] : several->members()) read_input(name, door);
    } else if (several) {
      say(*several, "\"inputs\" is an object of shapes by name.");
    } else if (one) {
      read_input("input", *one);
    } else {
      say(json_, "its \"input\" is missing: the shape of an example, such as [14].");
    }
  }

  void read_input(const std::string& name, const Json& door) {
    if (name.empty() || name.starts_with("@") || name.find('#') != std::string::npos) {
      say(door, quoted(name) + " is no name of an input.");
      return;
    }
    DType dtype = DType::Float32;
    const Json* shape = &door;
    if (door.is_object()) {
      shape = door.find("shape");
      if (const Json* word = door.find("dtype")) {
        const std::optional<DType> known = word->is_text() ? dtype_named(word->text()) : std::nullopt;
        if (!known) say(*word, "float32, int64, int32, uint8 or bool is read here.");
        dtype = known.value_or(DType::Float32);
      }
      for (const auto& [key, value] : door.members()) {
        if (key != "shape" && key != "dtype") say(value, "an input has no " + quoted(key) + ".");
      }
    }
    std::vector<Dim> dims{Dim::named("N")};
    if (!shape || !shape->is_array()) {
      say(door, "an input is a list of lengths, such as [28, 28, 1], without the batch.");
    } else {
      for (const Json& length : shape->items()) dims.push_back(length_of(length));
    }
    keep(name, maker_.input(name, dtype, Shape(dims)), door);
    last_ = maker_.named().find(name)->second;
  }

  Dim length_of(const Json& json) {
    if (json.is_integer() && json.integer() >= 1) return json.integer();
    if (!json.is_text() || json.text().empty() || json.text() == "N") {
      say(json, "a length is a whole number of at least 1, or a name such as \"L\" (\"N\" is the batch).");
      return {};
    }
    lengths_.insert(json.text());
    const auto bound = options_.dims.find(json.text());
    return bound == options_.dims.end() ? Dim::named(json.text()) : Dim(bound->second);
  }

  void read_layers() {
    const Json* layers = json_.find("layers");
    if (!layers || !layers->is_array() || layers->items().empty()) {
      say(layers ? *layers : json_, "\"layers\" is a list of one layer or more.");
      return;
    }
    for (size_t i = 0; i < layers->items().size(); ++i) read_layer(layers->items()[i], std::to_string(i));
  }

  void read_layer(const Json& stated, std::string path) {
    Json::Object alone;
    if (stated.is_text()) alone.emplace_back("kind", stated);
    Json short_form(std::move(alone));
    short_form.set_place(stated.line(), stated.column());
    const Json& layer = stated.is_text() ? short_form : stated;
    const Json* kind = layer.is_object() ? layer.find("kind") : nullptr;
    if (!kind || !kind->is_text()) {
      say(stated, "a layer is a word, or an object with its \"kind\".");
      return;
    }
    if (const Json* name = layer.find("name")) path = name_of(*name, path);
    const Flow made = make(path, layer, *kind);
    keep(path, made, layer);
    last_ = made;
    if (const Json* trainable = layer.find("trainable")) {
      if (!trainable->is_bool()) {
        say(*trainable, "'trainable' is true or false.");
      } else if (!trainable->boolean()) {
        maker_.hold(path);
      }
    }
  }

  std::string name_of(const Json& name, const std::string& path) {
    const bool fits = name.is_text() && !name.text().empty() && name.text().find_first_of("#/@") == std::string::npos;
    if (fits) return name.text();
    say(name, "a name is a text without '#', '/' and '@'.");
    return path;
  }

  // A layer and the activation it carries; some have an inner activation of their own under that word.
  Flow make(const std::string& path, const Json& layer, const Json& kind) {
    const std::vector<Flow> from = inputs_of(layer);
    Flow made = make_one(path, layer, kind, from, kLayerKeys);
    const Json* activation = layer.find("activation");
    const nn::LayerRow* row = nn::layer_row(kind.text());
    if (!activation || activation->is_null() || (row && row->has_setting("activation"))) return made;
    const std::string below = path + ".activation";
    if (activation->is_text()) {
      Json short_form{Json::Object{}};
      short_form.set_place(activation->line(), activation->column());
      made = make_one(below, short_form, *activation, {&made, 1}, {});
    } else if (const Json* word = activation->is_object() ? activation->find("kind") : nullptr;
               word && word->is_text()) {
      made = make_one(below, *activation, *word, {&made, 1}, {"kind"});
    } else {
      say(*activation, "an activation is a word, or an object with its \"kind\".");
    }
    keep(below, made, *activation);
    return made;
  }

  Flow make_one(const std::string& path, const Json& settings, const Json& kind, std::span<const Flow> from,
                const std::vector<std::string_view>& others) {
    const nn::LayerRow* row = nn::layer_row(kind.text());
    if (!row) {
      const std::string nearest = nn::nearest_layer(kind.text());
      say(kind,
          quoted(kind.text()) + " is no layer." + (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
      return unknown();
    }
    const size_t before = maker_.faults().size();
    const nn::Layer layer = row->read(settings, where_, others, maker_.faults());
    if (maker_.faults().size() > before) return unknown();
    return maker_.add(path, layer, from,
                      place_in(where_, settings) + ", layer " + quoted(path) + " (" + std::string(row->kind) + ")");
  }

  // What stands for a layer that could not be read.
  Flow unknown() { return {maker_.graph().shared_input("@unknown", Type{})}; }

  std::vector<Flow> inputs_of(const Json& layer) {
    const Json* from = layer.find("from");
    if (!from) return {last_.value ? last_ : unknown()};  // no value where the input does not fit
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

  Flow named(const Json& name) {
    if (!name.is_text()) {
      say(name, "the path of a layer or input above is read here.");
      return unknown();
    }
    const auto at = maker_.named().find(name.text());
    if (at != maker_.named().end()) return at->second;
    std::vector<std::string_view> known;
    for (const auto& [path, flow] : maker_.named()) known.push_back(path);
    const std::string nearest = nearest_word(name.text(), known);
    say(name, "no layer or input above is named " + quoted(name.text()) + "." +
                  (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
    return unknown();
  }

  void keep(const std::string& name, const Flow& flow, const Json& at) {
    if (!maker_.name(name, flow)) say(at, "the name " + quoted(name) + " is taken by a layer or input above.");
  }

  void read_outputs() {
    const Json* outputs = json_.find("outputs");
    if (!outputs) {
      if (last_.value) maker_.output("output", last_);
      return;
    }
    if (!outputs->is_array() || outputs->items().empty()) {
      say(*outputs, "\"outputs\" is a list of paths.");
      return;
    }
    std::vector<std::string> taken;
    for (const Json& name : outputs->items()) {
      const Flow flow = named(name);
      if (!name.is_text()) continue;
      if (std::find(taken.begin(), taken.end(), name.text()) != taken.end()) say(name, "an output is named once.");
      taken.push_back(name.text());
      maker_.output(outputs->items().size() == 1 ? "output" : name.text(), flow);
    }
  }

  void read_losses(SavedNetwork& saved) {
    const Json* stated = json_.find("loss");
    if (!stated || stated->is_null()) return;
    std::vector<Fault> faults;
    const auto give = [&](const std::string& output, const Json& json) {
      const std::optional<nn::StatedLoss> loss = nn::read_loss(json, where_, faults);
      if (!loss) return;
      std::optional<Fault> fault = nn::give_loss(saved, output, loss->loss, loss->from_logits, place_in(where_, json));
      if (fault) faults.push_back(std::move(*fault));
    };
    if (saved.network.outputs().size() == 1) {
      give(saved.network.outputs()[0].name, *stated);
    } else if (stated->is_object() && !stated->find("kind")) {
      for (const auto& [output, loss] : stated->members()) {
        if (saved.network.graph().output(output)) {
          if (!loss.is_null()) give(output, loss);
        } else {
          faults.push_back({place_in(where_, loss), "the network has no output " + quoted(output) + "."});
        }
      }
    } else {
      faults.push_back({place_in(where_, *stated),
                        "there are several outputs, and their losses are stated by output, {\"OUTPUT\": …}."});
    }
    refuse_if_any(std::move(faults));
  }

  const Json& json_;
  std::string where_;
  const WordsOptions& options_;
  /// Lengths that the inputs name.
  std::set<std::string> lengths_;
  nn::NetworkMaker maker_;
  Flow last_;
};

}  // namespace

SavedNetwork network_of_json(const Json& json, const std::string& where, const WordsOptions& options) {
  return WordsReader(json, where, options).read();
}

SavedNetwork network_of_words(std::string_view text, const std::string& where, const WordsOptions& options) {
  return network_of_json(parse_json(text, where), where, options);
}

}  // namespace causeway
