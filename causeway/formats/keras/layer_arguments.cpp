#include <algorithm>
#include <cmath>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/layer_reader.h"
#include "causeway/ops/build.h"

// What a layer is called on and with.

namespace causeway::formats::keras {
namespace {

bool is_off(const Argument& argument) {
  const Json* value = argument.value();
  return value != nullptr && value->is_bool() && !value->boolean();
}

}  // namespace

void LayerReader::take_mask() {
  const auto at =
      std::find_if(call_.named.begin(), call_.named.end(), [](const auto& named) { return named.first == "mask"; });
  if (at == call_.named.end() || at->second.made() == nullptr || inputs_.empty()) return;
  named_read_.insert(at->first);
  const Value mask = flow_of(at->second).value;
  if (!mask.shape().has_rank()) return;
  inputs_[0].mask = mask.dtype() == DType::Bool ? mask : ops::cast(mask, DType::Bool);
}

Flow LayerReader::x() {
  if (inputs_.size() != 1) {
    unfit("it is called on " + std::to_string(inputs_.size()) + " values, and one is read.");
  }
  return inputs(1)[0];
}

const Flows& LayerReader::inputs(size_t least) {
  // Settings that do not hold would make slots of other lengths, and so faults that are none.
  if (is_refused_) throw Unknown{};
  if (inputs_.size() < least) {
    unfit("it is called on " + std::to_string(inputs_.size()) + " values, and at least " + std::to_string(least) +
          " are read.");
  }
  for (const Flow& input : all_inputs_) {
    if (!input.value.shape().has_rank()) throw Unknown{};
  }
  return inputs_;
}

const Argument* LayerReader::named(std::string_view name) {
  for (const auto& [said, argument] : call_.named) {
    if (said != name) continue;
    named_read_.insert(said);
    return &argument;
  }
  return nullptr;
}

void LayerReader::only_named_off(std::string_view name, std::string_view reason) {
  const Argument* said = named(name);
  if (said && !is_off(*said)) refuse("it is called with " + quoted(name) + ": " + std::string(reason));
}

void LayerReader::finish_named() {
  for (const auto& [name, argument] : call_.named) {
    if (named_read_.contains(name) || (name == "training" && is_off(argument))) continue;
    const Json* value = argument.value();
    refuse("it is called with " + quoted(name) + (value != nullptr ? " " + shown(*value) : "") +
           ", and this is not read.");
  }
}

const Argument* LayerReader::find_argument(size_t position, std::string_view name) {
  if (position < call_.arguments.size()) return &call_.arguments[position];
  return named(name);
}

namespace {

// How many values of other calls stand before an argument of a list; counts them all where it is not among them.
bool count_before(const std::vector<Argument>& list, const Argument& wanted, size_t& count) {
  for (const Argument& argument : list) {
    if (&argument == &wanted) return true;
    if (argument.made()) ++count;
    if (argument.list() && count_before(*argument.list(), wanted, count)) return true;
  }
  return false;
}

}  // namespace

Flow LayerReader::flow_of(const Argument& argument) const {
  size_t count = 0;
  bool is_found = count_before(call_.arguments, argument, count);
  for (size_t i = 0; !is_found && i < call_.named.size(); ++i) {
    const Argument& named = call_.named[i].second;
    is_found = &named == &argument || (named.list() && count_before(*named.list(), argument, count));
    if (!is_found && named.made()) ++count;
  }
  CAUSEWAY_CHECK(is_found && count < all_inputs_.size(), "an argument of this call is asked for");
  return all_inputs_[count];
}

std::optional<Flow> LayerReader::argument(size_t position, std::string_view name) {
  const Argument* found = find_argument(position, name);
  if (!found || (found->value() && found->value()->is_null())) return std::nullopt;
  if (!found->made()) unfit("it is called with " + quoted(name) + " that is no value of another layer.");
  return flow_of(*found);
}

std::vector<std::optional<Flow>> LayerReader::arguments(size_t position, std::string_view name) {
  const Argument* found = find_argument(position, name);
  if (!found || (found->value() && found->value()->is_null())) return {};
  if (!found->list()) unfit("it is called with " + quoted(name) + " that is no list of values.");
  std::vector<std::optional<Flow>> flows;
  const std::function<void(const std::vector<Argument>&)> gather = [&](const std::vector<Argument>& list) {
    for (const Argument& item : list) {
      if (item.list()) {
        gather(*item.list());
      } else if (item.made()) {
        flows.emplace_back(flow_of(item));
      } else if (item.value() && item.value()->is_null()) {
        flows.emplace_back();
      } else {
        unfit("it is called with " + quoted(name) + " that holds something else than values of other layers.");
      }
    }
  };
  gather(*found->list());
  return flows;
}

Flow LayerReader::x_of_rank(size_t rank) {
  const Flow flow = x();
  if (flow.value.shape().rank() != rank) {
    unfit("it is called on " + flow.value.shape().text() + ", and " + std::to_string(rank) + " axes are read.");
  }
  return flow;
}

namespace {

// An array of numbers written in the words, as deep as it has axes.
bool read_array(const Json& json, size_t depth, std::vector<int64_t>& lengths, std::vector<float>& numbers) {
  constexpr size_t kMostAxes = 16;
  if (!json.is_array()) {
    if (!json.is_number() || depth != lengths.size()) return false;
    numbers.push_back(static_cast<float>(json.number()));
    return true;
  }
  const auto length = static_cast<int64_t>(json.items().size());
  if (depth == lengths.size() && numbers.empty()) lengths.push_back(length);
  if (depth >= lengths.size() || depth >= kMostAxes || lengths[depth] != length) return false;
  return std::all_of(json.items().begin(), json.items().end(),
                     [&](const Json& item) { return read_array(item, depth + 1, lengths, numbers); });
}

}  // namespace

Value LayerReader::operand(const Argument& argument) {
  if (argument.made() != nullptr) return flow_of(argument).value;
  const Json* json = argument.value();
  const Json* class_name = json != nullptr ? json->find("class_name") : nullptr;
  if (class_name != nullptr && *class_name == Json("__numpy__")) {
    const Json* config = json->find("config");
    const Json* value = config != nullptr ? config->find("value") : nullptr;
    std::vector<int64_t> lengths;
    std::vector<float> numbers;
    if (value == nullptr || !read_array(*value, 0, lengths, numbers) || config->find("dtype") == nullptr ||
        *config->find("dtype") != Json("float32")) {
      unfit("it is called on an array that is no float32 numbers, side by side.");
    }
    return graph().constant(Tensor::of<float>(lengths, numbers), "constant");
  }
  if (json == nullptr || !json->is_number()) unfit("it is called on a list, and values and numbers are read.");
  const Value like = inputs_.empty() ? Value() : inputs_[0].value;
  const bool is_whole = std::floor(json->number()) == json->number();
  if (!like || (like.dtype() != DType::Float32 && !(is_whole && is_integer(like.dtype())))) {
    return graph().scalar(static_cast<float>(json->number()));
  }
  return ops::number_like(like, json->number());
}

std::vector<Value> LayerReader::operands(size_t count) {
  const std::vector<Argument>& arguments = call_.arguments;
  if (arguments.size() != count) {
    unfit("it is called on " + std::to_string(arguments.size()) + " values, and " +
          (count == 2 ? "two" : std::to_string(count)) + " are read.");
  }
  inputs(1);
  std::vector<Value> values;
  for (const Argument& argument : arguments) values.push_back(operand(argument));
  return values;
}

std::pair<Value, Value> LayerReader::two_operands() {
  const std::vector<Value> both = operands(2);
  return {both[0], both[1]};
}

std::vector<Value> LayerReader::operands_of_list() {
  const std::vector<Argument>& arguments = call_.arguments;
  if (arguments.size() != 1 || arguments[0].list() == nullptr) unfit("it is called on no list of values.");
  inputs(1);
  std::vector<Value> values;
  for (const Argument& argument : *arguments[0].list()) values.push_back(operand(argument));
  return values;
}

}  // namespace causeway::formats::keras
