#include "causeway/formats/native/graph_json.h"

#include <map>
#include <unordered_map>

namespace causeway::formats::native {
namespace {

Json setting_to_json(const Setting& setting) {
  struct Visitor {
    Json operator()(std::monostate) const { return {}; }
    Json operator()(bool truth) const { return truth; }
    Json operator()(int64_t number) const { return number; }
    // Infinities are bounds that are not there; JSON has no number for them.
    Json operator()(double number) const {
      if (number == number && number - number == 0) return number;
      return number > 0 ? "inf" : number < 0 ? "-inf" : "nan";
    }
    Json operator()(const std::string& word) const { return word; }
    Json operator()(const std::vector<int64_t>& list) const { return Json::Array(list.begin(), list.end()); }
    Json operator()(const std::vector<double>& list) const { return Json::Array(list.begin(), list.end()); }
    Json operator()(const std::shared_ptr<const Graph>& graph) const { return graph_to_json(*graph); }
  };
  return std::visit(Visitor{}, setting);
}

Json shape_to_json(const Shape& shape) {
  if (!shape.has_rank()) return {};
  Json::Array lengths;
  for (const Dim& dim : *shape.dims) {
    lengths.push_back(dim.is_number() ? Json(dim.number()) : dim.is_unknown() ? Json() : Json(dim.text()));
  }
  return lengths;
}

std::string name_in_file(const Value& value, const std::unordered_map<Value, size_t>& numbers) {
  if (!value) return "";
  switch (value.kind()) {
    case Value::Kind::Input:
      return "input/" + value.name();
    case Value::Kind::Slot:
      return "slot/" + value.name();
    case Value::Kind::Output:
      break;
  }
  return "%" + std::to_string(numbers.at(value));
}

Json doors_to_json(std::span<const Door> doors, const std::unordered_map<Value, size_t>& numbers) {
  Json::Array all;
  for (const Door& door : doors) {
    Json json{Json::Object{}};
    json.set("name", door.name);
    json.set("dtype", std::string(name_of(door.value.dtype())));
    json.set("shape", shape_to_json(door.value.shape()));
    json.set("axes", door.axes);
    json.set("value", name_in_file(door.value, numbers));
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace

Json graph_to_json(const Graph& graph) {
  std::unordered_map<Value, size_t> numbers;
  std::map<const Scope*, int64_t> scopes;
  Json::Array scope_list, nodes;
  for (const Scope* scope : graph.scopes()) {
    scopes[scope] = static_cast<int64_t>(scope_list.size());
    Json json{Json::Object{}};
    json.set("path", scope->path);
    json.set("kind", scope->kind);
    if (!scope->settings.empty()) json.set("settings", scope->settings);
    scope_list.push_back(std::move(json));
  }
  for (const Node* node : graph.nodes()) {
    Json json{Json::Object{}}, settings{Json::Object{}};
    json.set("op", std::string(node->op.name()));
    json.set("scope", scopes.at(node->scope));
    Json::Array inputs, outputs;
    for (const Value& input : node->inputs) inputs.emplace_back(name_in_file(input, numbers));
    for (const Value& output : node->outputs) {
      numbers.emplace(output, numbers.size());
      outputs.emplace_back(name_in_file(output, numbers));
    }
    json.set("inputs", std::move(inputs));
    json.set("outputs", std::move(outputs));
    for (const NamedSetting& setting : node->op.settings()) {
      if (!std::holds_alternative<std::monostate>(setting.value))
        settings.set(setting.name, setting_to_json(setting.value));
    }
    if (!settings.members().empty()) json.set("settings", std::move(settings));
    nodes.push_back(std::move(json));
  }
  Json json{Json::Object{}};
  json.set("inputs", doors_to_json(graph.inputs(), numbers));
  json.set("outputs", doors_to_json(graph.outputs(), numbers));
  json.set("scopes", std::move(scope_list));
  json.set("nodes", std::move(nodes));
  return json;
}

Json slots_to_json(const Slots& slots) {
  Json::Array all;
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    Json json{Json::Object{}};
    json.set("path", slot.path);
    if (!slot.also.empty()) json.set("also", Json::Array(slot.also.begin(), slot.also.end()));
    json.set("role", std::string(name_of(slot.role)));
    if (slot.held) json.set("held", true);
    if (!slot.penalty.is_none()) {
      json.set("penalty", Json::Array{Json(double{slot.penalty.l1}), Json(double{slot.penalty.l2})});
    }
    if (slot.max_norm) {
      Json bound{Json::Object{}};
      bound.set("limit", double{slot.max_norm->limit});
      Json::Array axes;
      for (const size_t axis : slot.max_norm->axes) axes.emplace_back(static_cast<int64_t>(axis));
      bound.set("axes", std::move(axes));
      json.set("bound", std::move(bound));
    }
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace causeway::formats::native
