#include "causeway/nn/words.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "causeway/base/quoted.h"
#include "causeway/nn/layer_words.h"
#include "causeway/nn/lifting.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/named_lengths.h"
#include "causeway/nn/network_maker.h"

namespace causeway {
namespace {

using nn::place_in;

constexpr std::array<std::string_view, 5> kNetworkKeys{"input", "inputs", "layers", "outputs", "loss"};

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
    layers_.read(json_);
    read_outputs();
    nn::NetworkMaker::Made made = std::move(maker_).finish();
    if (options_.seed) nn::draw_starts(made.network.slots(), made.starts, *options_.seed);
    SavedNetwork saved{.network = std::move(made.network)};
    // With lengths bound from outside, the words alone would make another network.
    if (options_.dims.empty()) saved.words = json_.dump();
    read_losses(saved);
    note_unread_inputs(saved);
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
    layers_.start(name, maker_.input(name, dtype, Shape(dims)), door);
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

  void read_outputs() {
    const Json* outputs = json_.find("outputs");
    if (!outputs) {
      if (layers_.last().value) maker_.output("output", layers_.last());
      return;
    }
    if (!outputs->is_array() || outputs->items().empty()) {
      say(*outputs, "\"outputs\" is a list of paths.");
      return;
    }
    std::vector<std::string> taken;
    for (const Json& name : outputs->items()) {
      const Flow flow = layers_.named(name);
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
      const std::optional<StatedLoss> loss = nn::read_loss(json, where_, faults);
      if (!loss) return;
      std::optional<Fault> fault = nn::give_loss(saved, output, loss->loss, loss->from_logits, place_in(where_, json));
      if (fault) faults.push_back(std::move(*fault));
    };
    // {"OUTPUT": …}, and no loss of settings whose "kind" was left out.
    const bool is_by_output = stated->is_object() && !stated->find("kind") && !stated->members().empty() &&
                              std::all_of(stated->members().begin(), stated->members().end(), [](const auto& member) {
                                return member.second.is_text() || member.second.is_object() || member.second.is_null();
                              });
    const std::span<const Door> outputs = saved.network.outputs();
    if (outputs.size() == 1 && !is_by_output) {
      give(saved.network.outputs()[0].name, *stated);
    } else if (stated->is_object() && !stated->find("kind")) {
      for (const auto& [output, loss] : stated->members()) {
        if (saved.network.graph().output(output)) {
          if (!loss.is_null()) give(output, loss);
        } else {
          faults.push_back(
              {place_in(where_, loss), "the network has no output " + quoted(output) + "." +
                                           (outputs.size() == 1 ? " It has " + quoted(outputs[0].name) + "." : "")});
        }
      }
    } else {
      faults.push_back({place_in(where_, *stated),
                        "there are several outputs, and their losses are stated by output, {\"OUTPUT\": …}."});
    }
    refuse_if_any(std::move(faults));
  }

  static void note_unread_inputs(SavedNetwork& saved) {
    const Graph& graph = saved.network.graph();
    std::set<std::string_view> unread;
    std::unordered_map<Value, std::string_view> inputs;
    for (const Door& door : graph.inputs()) {
      unread.insert(door.name);
      inputs.emplace(door.value, door.name);
    }
    const auto read = [&](const Value& value) {
      if (const auto at = inputs.find(value); at != inputs.end()) unread.erase(at->second);
    };
    for (const Node* node : graph.nodes()) std::for_each(node->inputs.begin(), node->inputs.end(), read);
    for (const Door& door : graph.outputs()) read(door.value);
    for (const std::string_view name : unread) {
      saved.notes.push_back("input " + quoted(name) + ": no output depends on it.");
    }
  }

  const Json& json_;
  std::string where_;
  const WordsOptions& options_;
  /// Lengths that the inputs name.
  std::set<std::string> lengths_;
  nn::NetworkMaker maker_;
  nn::LayerWords layers_{maker_, where_};
};

}  // namespace

SavedNetwork network_of_json(const Json& json, const std::string& where, const WordsOptions& options) {
  return WordsReader(json, where, options).read();
}

SavedNetwork network_of_words(std::string_view text, const std::string& where, const WordsOptions& options) {
  return network_of_json(parse_json(text, where), where, options);
}

}  // namespace causeway
