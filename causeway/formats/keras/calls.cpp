#include "causeway/formats/keras/calls.h"

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/words.h"

namespace causeway::formats::keras {
namespace {

constexpr int kDeepestList = 8;

void visit(const Argument& argument, const std::function<void(const Made&)>& each) {
  if (const Made* made = argument.made()) each(*made);
  if (const auto* list = argument.list()) {
    for (const Argument& item : *list) visit(item, each);
  }
}

bool is_index(const Json& json) { return json.is_integer() && json.integer() >= 0 && json.integer() < (1 << 20); }

}  // namespace

bool CallReader::read_triple(const Json& json, Made& made) const {
  if (!json.is_array() || json.items().size() < 3) return false;
  const Json::Array& items = json.items();
  if (!items[0].is_text() || !is_index(items[1]) || !is_index(items[2])) return false;
  const auto found = layers_.find(items[0].text());
  if (found == layers_.end()) return false;
  made = {found->second, static_cast<size_t>(items[1].integer()), static_cast<size_t>(items[2].integer())};
  return true;
}

std::string CallReader::argument(const Json& json, Argument& into, int depth) const {
  if (depth > kDeepestList) return "it is called on lists more than " + std::to_string(kDeepestList) + " deep.";
  const Json* class_name = json.find("class_name");
  if (class_name != nullptr && *class_name == Json("__keras_tensor__")) {
    const Json* config = json.find("config");
    const Json* history = config != nullptr ? config->find("keras_history") : nullptr;
    Made made;
    if (history == nullptr || !read_triple(*history, made)) {
      return "it is called on " + shown(json) + ", and no layer of the model makes that.";
    }
    into.is = made;
    return {};
  }
  if (json.is_array()) {
    std::vector<Argument> list;
    for (const Json& item : json.items()) {
      list.push_back({&item});
      if (std::string what = argument(item, list.back(), depth + 1); !what.empty()) return what;
    }
    bool reads = false;
    for (const Argument& item : list) reads = reads || item.made() != nullptr || item.list() != nullptr;
    if (reads) {
      into.is = std::move(list);
      return {};
    }
  }
  into.is = &json;
  return {};
}

// [["layer", call, output, {…}], …]: one entry stands for the argument itself, several for a list.
std::string CallReader::read_keras_2(const Json& node, Call& call) const {
  std::vector<Argument> list;
  for (const Json& item : node.items()) {
    Made made;
    if (!read_triple(item, made)) return "it is called on " + shown(item) + ", and no layer of the model makes that.";
    list.push_back({made});
    const Json* named = item.items().size() > 3 ? &item.items()[3] : nullptr;
    if (named == nullptr || !named->is_object()) continue;
    for (const auto& [name, value] : named->members()) {
      if (!value.is_null()) call.named.push_back({name, {&value}});
    }
  }
  if (list.empty()) return "it is called on nothing.";
  if (list.size() == 1) {
    call.arguments.push_back(std::move(list.front()));
  } else {
    call.arguments.push_back({std::move(list)});
  }
  return {};
}

std::string CallReader::read(const Json& node, Call& call) const {
  if (node.is_array()) return read_keras_2(node, call);
  const Json* arguments = node.find("args");
  const Json* named = node.find("kwargs");
  if (arguments == nullptr || !arguments->is_array())
    return "an entry of 'inbound_nodes' is " + shown(node) + ", and 'args' and 'kwargs' are read.";
  for (const Json& json : arguments->items()) {
    call.arguments.push_back({&json});
    if (std::string what = argument(json, call.arguments.back(), 0); !what.empty()) return what;
  }
  if (named == nullptr || !named->is_object()) return {};
  for (const auto& [name, json] : named->members()) {
    if (json.is_null()) continue;
    call.named.push_back({name, {&json}});
    if (std::string what = argument(json, call.named.back().second, 0); !what.empty()) return what;
  }
  return {};
}

void for_each_made(const Call& call, const std::function<void(const Made&)>& each) {
  for (const Argument& argument : call.arguments) visit(argument, each);
  for (const auto& [name, argument] : call.named) visit(argument, each);
}

}  // namespace causeway::formats::keras
