#include "causeway/formats/onnx/node_reader.h"

#include <algorithm>

#include "causeway/base/quoted.h"

namespace causeway::formats::onnx {
namespace {

std::string_view name_of(Attribute::Kind kind) {
  switch (kind) {
    case Attribute::Kind::Real:
      return "a float";
    case Attribute::Kind::Integer:
      return "an integer";
    case Attribute::Kind::Text:
      return "a text";
    case Attribute::Kind::Tensor:
      return "a tensor";
    case Attribute::Kind::Graph:
      return "a graph";
    case Attribute::Kind::Reals:
      return "a list of floats";
    case Attribute::Kind::Integers:
      return "a list of integers";
    case Attribute::Kind::Texts:
      return "a list of texts";
    default:
      return "of a kind that is not read";
  }
}

const Attribute* attribute_of(const FileNode& node, std::string_view name) {
  const auto at = std::find_if(node.attributes.begin(), node.attributes.end(),
                               [&](const Attribute& attribute) { return attribute.name == name; });
  return at == node.attributes.end() ? nullptr : &*at;
}

}  // namespace

Value NodeReader::input(size_t i) const {
  if (has_input(i)) return inputs_[i];
  unfit("its input " + std::to_string(i) + " is absent, and it needs one.");
}

void NodeReader::expect_inputs(size_t least, size_t most) const {
  if (inputs_.size() >= least && inputs_.size() <= most) return;
  const std::string wanted =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  unfit("it has " + std::to_string(inputs_.size()) + " inputs, and " + wanted + " are read.");
}

std::optional<Tensor> NodeReader::constant(size_t i, std::string_view what) const {
  if (!has_input(i)) return std::nullopt;
  const Value value = inputs_[i];
  if (value.type().known) return value.type().known;
  if (value.kind() == Value::Kind::Slot) {
    const Slot& slot = context_.graph.slots().at(value.name());
    if (slot.role == Role::Constant) return slot.numbers;
  }
  throw NotKnownYet{"its " + quoted(what) + " is worked out when the network runs, and a constant is read here.", true};
}

std::optional<std::vector<int64_t>> NodeReader::constant_integers(size_t i, std::string_view what) const {
  const std::optional<Tensor> tensor = constant(i, what);
  if (!tensor) return std::nullopt;
  if (!is_integer(tensor->dtype()) || tensor->rank() > 1) {
    unfit("its " + quoted(what) + " is " + tensor->shape().text() + " of " +
          std::string(causeway::name_of(tensor->dtype())) + ", and a list of integers is read.");
  }
  std::vector<int64_t> integers;
  for (int64_t at = 0; at < tensor->size(); ++at) integers.push_back(tensor->integer_at(at));
  return integers;
}

const Attribute* NodeReader::ask(std::string_view name, Attribute::Kind kind, const char* kind_name) {
  asked_.emplace(name);
  const Attribute* attribute = attribute_of(planned_.node, name);
  if (!attribute || attribute->kind == kind) return attribute;
  refuse(quoted(name) + " is " + std::string(name_of(attribute->kind)) + ", and " + kind_name + " is read.");
  return nullptr;
}

bool NodeReader::has(std::string_view name) const { return attribute_of(planned_.node, name) != nullptr; }

bool NodeReader::is_text(std::string_view name) const {
  const Attribute* attribute = attribute_of(planned_.node, name);
  return attribute && attribute->kind == Attribute::Kind::Text;
}

std::optional<float> NodeReader::real(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Real, "a float");
  return attribute ? std::optional(attribute->real) : std::nullopt;
}
float NodeReader::real(std::string_view name, float absent) { return real(name).value_or(absent); }

std::optional<int64_t> NodeReader::integer(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Integer, "an integer");
  return attribute ? std::optional(attribute->integer) : std::nullopt;
}
int64_t NodeReader::integer(std::string_view name, int64_t absent) { return integer(name).value_or(absent); }

std::string NodeReader::text(std::string_view name, std::string_view absent) {
  const Attribute* attribute = ask(name, Attribute::Kind::Text, "a text");
  return attribute ? attribute->text : std::string(absent);
}

std::optional<std::vector<int64_t>> NodeReader::integers(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Integers, "a list of integers");
  return attribute ? std::optional(attribute->integers) : std::nullopt;
}

std::optional<std::vector<float>> NodeReader::reals(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Reals, "a list of floats");
  return attribute ? std::optional(attribute->reals) : std::nullopt;
}

std::optional<std::vector<std::string>> NodeReader::texts(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Texts, "a list of texts");
  return attribute ? std::optional(attribute->texts) : std::nullopt;
}

std::optional<Tensor> NodeReader::tensor(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Tensor, "a tensor");
  if (!attribute) return std::nullopt;
  if (!attribute->tensor->refused.empty()) refuse(quoted(name) + ": " + attribute->tensor->refused);
  return attribute->tensor->numbers;
}

const FileGraph* NodeReader::body(std::string_view name) {
  const Attribute* attribute = ask(name, Attribute::Kind::Graph, "a graph");
  return attribute ? attribute->graph.get() : nullptr;
}

Values NodeReader::read_body(const FileGraph& body, const Values& inputs) const {
  if (!context_.read_body) unfit("its body is read when the file is, and its settings are not known then.");
  return context_.read_body(body, inputs);
}

void NodeReader::refuse_unknown_attributes() {
  for (const Attribute& attribute : planned_.node.attributes) {
    if (attribute.name == "consumed_inputs" || asked_.count(attribute.name)) continue;
    refuse(quoted(attribute.name) + " is no attribute of this op at opset " + std::to_string(opset()) + ".");
  }
}

}  // namespace causeway::formats::onnx
