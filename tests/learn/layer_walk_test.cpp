// What every word of layer_list.h must have: networks that hold it, and a form in C++ that builds the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "causeway/base/json.h"
#include "causeway/nn/layer_list.h"
#include "causeway/nn/module.h"
#include "causeway/nn/network_maker.h"
#include "causeway/nn/words.h"
#include "tests/learn/fixture_models.h"
#include "tests/learn/layer_cases.h"
#include "tests/support/files.h"

namespace causeway {
namespace {

Json words_of(const std::string& name) {
  return parse_json(tests::bytes_of(tests::fixture("layers/" + name + ".network.json")), name);
}

using CasesByWord = std::map<std::string, std::set<std::string>, std::less<>>;

/// Every word that a network states: its layers, their inner layers and activations.
void find_words(const Json& json, const std::string& name, CasesByWord& found) {
  if (json.is_array()) {
    for (const Json& item : json.items()) {
      if (item.is_text()) found[item.text()].insert(name);
      find_words(item, name, found);
    }
  }
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.members()) {
    const bool is_word = key == "kind" || key == "activation" || key == "layer";
    if (is_word && value.is_text()) found[value.text()].insert(name);
    find_words(value, name, found);
  }
}

const CasesByWord& cases_by_word() {
  static const CasesByWord kFound = [] {
    CasesByWord found;
    for (const tests::LayerCase& one : tests::all_layer_cases()) find_words(words_of(one.name), one.name, found);
    return found;
  }();
  return kFound;
}

std::set<std::string> cases_of(std::string_view word) {
  const auto at = cases_by_word().find(word);
  return at == cases_by_word().end() ? std::set<std::string>() : at->second;
}

class EveryWord : public testing::TestWithParam<std::string_view> {};

// The walks of layer_fixtures_test.cpp then hold it to its judge, the native file, ONNX, training and threads.
TEST_P(EveryWord, StandsInThreeNetworks) {
  EXPECT_GE(cases_of(GetParam()).size(), 3u) << "tests/fixtures/layers/README.md says how a network is added.";
}

/// A network in words up to one of its layers.
struct Head {
  Json::Object layer;
  std::string name;
  std::vector<std::string> from;
};

/// Whether a layer or one inside it takes more than the values handed to it.
bool names_a_value(const Json& layer) {
  if (!layer.is_object()) return false;
  constexpr std::string_view kNaming[] = {"mask", "lengths", "attention_mask", "memory_mask", "initial_state"};
  return std::any_of(layer.members().begin(), layer.members().end(), [&](const auto& setting) {
    return std::count(std::begin(kNaming), std::end(kNaming), setting.first) > 0 || names_a_value(setting.second);
  });
}

/// A module hands on values; that a mask comes with one is a matter of words.
bool makes_a_mask(const Head& head) {
  const Json layer(head.layer), *by_zero = layer.find("mask_zero");
  return layer.find("kind")->text() == "masking" || (by_zero && by_zero->boolean());
}

/// The layers with their names and what they take said, up to one that is more than a row of the table on values.
std::vector<Head> heads_of(const Json& network) {
  std::vector<Head> heads;
  std::string last = "input";
  for (size_t i = 0; i < network.find("layers")->items().size(); ++i) {
    const Json& stated = network.find("layers")->items()[i];
    Head head{.layer = {}, .name = std::to_string(i), .from = {last}};
    if (stated.is_text()) head.layer.emplace_back("kind", stated);
    for (const auto& [key, value] : stated.is_object() ? stated.members() : Json::Object()) {
      if (key == "name") {
        head.name = value.text();
      } else if (key == "from" && value.is_text()) {
        head.from = {value.text()};
      } else if (key == "from") {
        head.from.clear();
        for (const Json& name : value.items()) head.from.push_back(name.text());
      } else {
        head.layer.emplace_back(key, value);
      }
    }
    const nn::LayerRow* row = nn::layer_row(Json(head.layer).find("kind")->text());
    if (!row || names_a_value(head.layer)) break;
    if (Json(head.layer).find("activation") && !row->has_setting("activation")) break;
    last = head.name;
    heads.push_back(std::move(head));
  }
  return heads;
}

/// The layers of a network as modules.
class Coded : public Module {
 public:
  Value forward(Value x) override { return x; }

  Network network(const Json& words, const std::vector<Head>& heads) {
    nn::NetworkMaker maker;
    std::map<std::string, Value, std::less<>> made;
    const SavedNetwork doors = network_of_json(words, "words");
    for (const Door& door : doors.network.inputs()) {
      made[door.name] = maker.input(door.name, door.value.dtype(), door.value.shape()).value;
    }
    for (const Head& head : heads) {
      std::vector<Fault> faults;
      const nn::Layer layer =
          nn::layer_row(Json(head.layer).find("kind")->text())->read(Json(head.layer), "words", {"kind"}, faults);
      EXPECT_TRUE(faults.empty());
      std::vector<Value> values;
      for (const std::string& name : head.from) values.push_back(made.at(name));
      LayerModule& part = *parts_.emplace_back(std::make_unique<LayerModule>(*this, head.name, layer));
      made[head.name] = values.size() == 1 ? part(values[0]) : part(values);
    }
    maker.output("output", {made.at(heads.back().name)});
    Network network = std::move(maker).finish().network;
    nn::draw_starts(network.slots(), starts(), 7);
    return network;
  }

 private:
  std::vector<std::unique_ptr<LayerModule>> parts_;
};

// The graphs are the same to the node, and the slots to the bit they start from: what one answers, the other does.
TEST_P(EveryWord, HasAFormInCodeThatBuildsTheSame) {
  int compared = 0;
  for (const std::string& name : cases_of(GetParam())) {
    const Json stated = words_of(name);
    std::vector<Head> heads = heads_of(stated);
    const auto at = std::find_if(heads.begin(), heads.end(),
                                 [](const Head& head) { return Json(head.layer).find("kind")->text() == GetParam(); });
    if (at == heads.end()) continue;
    if (std::any_of(heads.begin(), at, makes_a_mask)) continue;
    heads.erase(at + 1, heads.end());

    Json words = stated;
    Json::Array layers(stated.find("layers")->items().begin(),
                       stated.find("layers")->items().begin() + static_cast<std::ptrdiff_t>(heads.size()));
    words.set("layers", layers);
    words.set("outputs", Json::Array{heads.back().name});
    SCOPED_TRACE(name);
    const SavedNetwork said = network_of_json(words, "words", {.seed = 7});
    const Network coded = Coded().network(words, heads);
    EXPECT_EQ(coded.graph().text(), said.network.graph().text());
    EXPECT_EQ(tests::bits_by_path(coded), tests::bits_by_path(said.network));
    ++compared;
  }
  EXPECT_GT(compared, 0) << "no network of tests/fixtures/layers is of layers that stand in code as they are.";
}

std::vector<std::string_view> words() {
  std::vector<std::string_view> words;
  for (const nn::LayerRow& row : nn::all_layers()) words.push_back(row.word);
  return words;
}

INSTANTIATE_TEST_SUITE_P(Words, EveryWord, testing::ValuesIn(words()),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace causeway
