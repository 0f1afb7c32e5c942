#include "causeway/formats/onnx/node_writer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/layer_scopes.h"
#include "causeway/passes/bind.h"

namespace causeway::formats::onnx {

std::string Names::free(const std::string& wanted) {
  if (taken_.insert(wanted).second) return wanted;
  for (int& n = times_.try_emplace(wanted, 1).first->second;;) {
    std::string numbered = wanted + "_" + std::to_string(++n);
    if (taken_.insert(numbered).second) return numbered;
  }
}

bool NodeWriter::may_use(int64_t opset) {
  if (context_.is_fixed) return opset <= context_.opset;
  context_.needed = std::max(context_.needed, opset);
  return true;
}

void NodeWriter::require(int64_t opset, std::string_view what) {
  if (may_use(opset)) return;
  unfit(std::string(what) + " is of opset " + std::to_string(opset) + " on, and opset " +
        std::to_string(context_.opset) + " is asked for.");
}

bool NodeWriter::is_read(size_t output) const {
  return !context_.network || context_.network->uses(node_.outputs.at(output)) > 0;
}

std::vector<std::string> NodeWriter::inputs() {
  std::vector<std::string> names;
  for (size_t i = 0; i < node_.inputs.size(); ++i) names.push_back(input(i));
  return names;
}

const Shape& NodeWriter::shape(size_t i) const {
  const Shape& shape = node_.input(i).shape();
  if (!shape.has_rank()) unfit("the rank of what it reads is not known, and its ONNX form names axes.");
  return shape;
}

std::optional<std::vector<int64_t>> NodeWriter::known_integers(size_t i) const {
  const Value value = node_.input(i);
  if (!value || !value.type().known) return std::nullopt;
  const Tensor& known = *value.type().known;
  std::vector<int64_t> integers;
  for (int64_t at = 0; at < known.size(); ++at) integers.push_back(known.integer_at(at));
  return integers;
}

std::vector<int64_t> NodeWriter::stated_integers(size_t i, const char* what) const {
  const std::optional<std::vector<int64_t>> known = known_integers(i);
  if (!known) unfit("its " + std::string(what) + " are worked out when it runs, and this set has them as attributes.");
  return *known;
}

std::string NodeWriter::path(std::string_view what) const {
  return node_.scope->path.empty() ? std::string(what) : node_.scope->path + "/" + std::string(what);
}

std::string NodeWriter::add(std::string_view op, std::vector<std::string> inputs, std::vector<Attribute> attributes) {
  return add_many(op, std::move(inputs), std::move(attributes), 1)[0];
}

std::vector<std::string> NodeWriter::add_many(std::string_view op, std::vector<std::string> inputs,
                                              std::vector<Attribute> attributes, size_t outputs) {
  while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
  FileNode made{.name = context_.node_names.free(path(op)), .op = std::string(op), .inputs = std::move(inputs)};
  for (size_t i = 0; i < outputs; ++i) made.outputs.push_back(context_.names.free(made.name));
  made.attributes = std::move(attributes);
  if (!node_.scope->path.empty()) {
    made.metadata = {{kLayerKey, node_.scope->path}, {kKindKey, node_.scope->kind}};
  }
  context_.graph.nodes.push_back(std::move(made));
  return context_.graph.nodes.back().outputs;
}

std::string NodeWriter::constant(Tensor numbers, std::string_view what) {
  // The same numbers under the same wanted name are one initializer.
  const std::string wanted = path(what);
  const std::string bits(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  const std::string key =
      wanted + '\n' + numbers.shape().text() + std::string(causeway::name_of(numbers.dtype())) + bits;
  const auto [at, is_new] = context_.constant_names.try_emplace(key);
  if (is_new) {
    at->second = context_.names.free(wanted);
    if (is_floating(numbers.dtype())) context_.roles[at->second] = Role::Constant;
    context_.graph.initializers.push_back({.name = at->second, .numbers = std::move(numbers)});
  }
  return at->second;
}

std::string NodeWriter::integers(std::vector<int64_t> numbers, std::string_view what) {
  return constant(Tensor::of_integers(std::move(numbers)), what);
}

void NodeWriter::give_list(int64_t from, std::string_view name, const std::vector<int64_t>& list,
                           std::vector<std::string>& inputs, std::vector<Attribute>& attributes) {
  if (opset() >= from) {
    inputs.push_back(integers(list, name));
  } else {
    attributes.push_back(onnx::list(name, list));
  }
}

void NodeWriter::refuse(std::string what) { context_.faults.push_back({written_place(node_), std::move(what)}); }

std::string NodeWriter::name_of(const Value& value) {
  if (!value) return "";
  const auto at = context_.value_names.find(value);
  if (at != context_.value_names.end()) return at->second;
  CAUSEWAY_CHECK(value.kind() == Value::Kind::Slot, "a value is written before it is read");
  const Slot& slot = context_.slots.at(value.name());
  const auto own = context_.slot_names.find(slot.path);
  std::string name = own == context_.slot_names.end() ? context_.names.free(slot.path) : own->second;
  return context_.value_names[value] = stored(std::move(name), slot.numbers, slot.role);
}

// Numbers that are no constant are halved where that is asked for, each behind a Cast.
std::string NodeWriter::stored(std::string name, Tensor numbers, Role role) {
  if (is_floating(numbers.dtype())) context_.roles[name] = role;
  if (!context_.half || role == Role::Constant || numbers.dtype() != DType::Float32) {
    context_.graph.initializers.push_back({.name = name, .numbers = std::move(numbers)});
    return name;
  }
  context_.graph.initializers.push_back({.name = name, .numbers = numbers.converted(DType::Float16)});
  std::string wide = context_.names.free(name + "/Cast");
  context_.graph.nodes.push_back({.name = context_.node_names.free(name + "/Cast"),
                                  .op = "Cast",
                                  .inputs = {std::move(name)},
                                  .outputs = {wide},
                                  .attributes = {integer("to", 1)}});
  return wide;
}

std::optional<Tensor> NodeWriter::numbers(size_t i) const {
  const Value value = node_.input(i);
  if (!value || value.kind() != Value::Kind::Slot || value.dtype() != DType::Float32) return std::nullopt;
  return context_.slots.at(value.name()).numbers;
}

std::string NodeWriter::learned(Tensor numbers, std::string_view what) {
  return stored(context_.names.free(path(what)), std::move(numbers), Role::Learned);
}

Attribute integer(std::string_view name, int64_t value) {
  return {.name = std::string(name), .kind = Attribute::Kind::Integer, .integer = value};
}
Attribute real(std::string_view name, float value) {
  return {.name = std::string(name), .kind = Attribute::Kind::Real, .real = value};
}
Attribute text(std::string_view name, std::string_view value) {
  return {.name = std::string(name), .kind = Attribute::Kind::Text, .text = std::string(value)};
}
Attribute list(std::string_view name, std::vector<int64_t> values) {
  return {.name = std::string(name), .kind = Attribute::Kind::Integers, .integers = std::move(values)};
}
Attribute tensor(std::string_view name, Tensor value) {
  return {.name = std::string(name),
          .kind = Attribute::Kind::Tensor,
          .tensor = std::make_shared<const FileTensor>(FileTensor{.numbers = std::move(value)})};
}

std::string written_place(const Node& node) { return passes::place_of(node); }

}  // namespace causeway::formats::onnx
