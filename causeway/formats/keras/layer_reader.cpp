#include "causeway/formats/keras/layer_reader.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/keras/activations.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

constexpr std::string_view kHoldsCode =
    "holds code, and a file is data. Rewrite it in layers, or export the model as ONNX.";

bool is_off(const Argument& argument) {
  const Json* value = argument.value();
  return value != nullptr && value->is_bool() && !value->boolean();
}

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

void LayerReader::number(std::string variable, std::string slot, TurnOf turn) {
  const size_t index = numbers_.size();
  numbers_.emplace(std::move(slot), NumberPlan{{inner_, index, std::move(variable)}, std::move(turn)});
}

void LayerReader::given(std::string slot, std::vector<float> numbers) {
  NumberPlan plan;
  plan.given = std::move(numbers);
  numbers_.emplace(std::move(slot), std::move(plan));
}

void LayerReader::inner_number(const std::string& inner, size_t index, std::string variable, std::string slot,
                               TurnOf turn, NumberRow row) {
  NumberPlan plan{{inner_path(inner), index, std::move(variable)}, std::move(turn)};
  plan.row = row;
  numbers_.emplace(std::move(slot), std::move(plan));
}

void LayerReader::take_mask() {
  const auto at =
      std::find_if(call_.named.begin(), call_.named.end(), [](const auto& named) { return named.first == "mask"; });
  if (at == call_.named.end() || at->second.made() == nullptr || inputs_.empty()) return;
  named_read_.insert(at->first);
  const Value mask = flow_of(at->second).value;
  if (!mask.shape().has_rank()) return;
  inputs_[0].mask = mask.dtype() == DType::Bool ? mask : ops::cast(mask, DType::Bool);
}

std::string LayerReader::cell_of(const std::string& inner) const {
  const auto below = [&](const std::string& name) { return inner.empty() ? name : inner + "/" + name; };
  if (is_archive()) return below("cell");
  const std::string all = inner_path(inner), start = all.empty() ? all : all + "/";
  for (const std::string& found : building_.numbers.inners(plan_.path)) {
    if (found == all) return inner;  // the earliest Keras 2 had no cells
    const bool is_below = found.compare(0, start.size(), start) == 0 && found.size() > start.size();
    if (is_below && found.find('/', start.size()) == std::string::npos) return below(found.substr(start.size()));
  }
  return below("cell");
}

void LayerReader::joined(std::string slot, std::vector<Part> parts) {
  NumberPlan plan;
  plan.parts = std::move(parts);
  numbers_.emplace(std::move(slot), std::move(plan));
}

void LayerReader::leave_out(std::string variable) {
  building_.numbers.take(plan_.path, {inner_, numbers_.size(), std::move(variable)});
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

Flow LayerReader::build(const nn::Layer& layer, const Flows& from) {
  if (is_refused_) throw Unknown{};
  return layer.build(maker_, from);
}

// A new slot takes its numbers from the file: they are looked up here, and load() writes them, or says why it cannot.
// Memory is taken for what the file holds; a slot whose numbers do not fit has it only where it is small, so that the
// layer's other slots are looked at too.
Tensor LayerReader::first_numbers(const std::string& path, const std::vector<int64_t>& lengths) {
  const auto plan = numbers_.find(path.substr(plan_.path.size() + 1));
  CAUSEWAY_CHECK(plan != numbers_.end(), "a layer's function names the number of every slot");
  if (building_.refused_slots.contains(path)) throw Unknown{};
  const std::optional<Entry> entry = entry_of(path, lengths, plan->second);
  const bool fits = entry && entry->refused.empty();
  constexpr int64_t kMostNumbers = 1 << 16;
  if (!fits && Shape::of(lengths).count().number() > kMostNumbers) {
    building_.refused_slots.insert(path);
    building_.faults.push_back(entry ? Fault{entry->where, entry->refused}
                                     : Fault{"slot " + quoted(path),
                                             quoted(path) + " is missing: every slot of the network is written once."});
    throw Unknown{};
  }
  if (entry) building_.entries.push_back(*entry);
  return Tensor::uninitialized(DType::Float32, lengths);
}

// What the file holds for a slot; none where it lacks it.
std::optional<Entry> LayerReader::entry_of(const std::string& path, const std::vector<int64_t>& lengths,
                                           const NumberPlan& plan) {
  Entry entry;
  entry.path = path;
  if (!plan.given.empty()) return given_entry(std::move(entry), lengths, plan.given);
  if (plan.row.of > 0) return row_entry(std::move(entry), lengths, plan);
  if (!plan.parts.empty()) return joined_entry(std::move(entry), lengths, plan.parts);
  const std::optional<Hdf5Object> object = building_.numbers.take(plan_.path, plan.name);
  if (!object) return std::nullopt;
  entry.where = building_.file.place_of(object->path());
  entry.turn = plan.turn ? plan.turn(lengths) : Turn{};
  const std::vector<int64_t> in_file = entry.turn.lengths_in_file(lengths);
  try {
    const Hdf5Dataset dataset = object->dataset();
    if (dataset.lengths() == in_file) {
      entry.numbers = dataset.read();
    } else {
      entry.refused = quoted(path) + " is " + text_of(dataset.lengths()) + " in the file, and its slot here is " +
                      text_of(in_file) + ".";
    }
  } catch (const Refused& refused) {
    entry.refused = refused.faults().front().what;
  }
  return entry;
}

// Numbers that stand in the words.
Entry LayerReader::given_entry(Entry entry, const std::vector<int64_t>& lengths,
                               const std::vector<float>& numbers) const {
  constexpr int64_t kMostNumbers = 1 << 20;  // a single number in the words makes no memory without end
  const std::optional<int64_t> made = checked_product(lengths);
  if (!made || *made > kMostNumbers)
    unfit(quoted(entry.path) + " would hold more than " + std::to_string(kMostNumbers) + " numbers.");
  const auto count = static_cast<size_t>(*made);
  if (numbers.size() != 1 && numbers.size() != count) {
    unfit(quoted(entry.path) + " holds " + std::to_string(numbers.size()) + " numbers, and " + std::to_string(count) +
          " are read.");
  }
  entry.numbers = Tensor::of<float>(lengths, numbers.size() == 1 ? std::vector<float>(count, numbers[0]) : numbers);
  entry.where = place_;
  return entry;
}

// One row of a dataset whose rows fill several slots; it is taken once.
std::optional<Entry> LayerReader::row_entry(Entry entry, const std::vector<int64_t>& lengths, const NumberPlan& plan) {
  auto at = with_rows_.find(plan.name.inner);
  if (at == with_rows_.end()) {
    const std::optional<Hdf5Object> object = building_.numbers.take(plan_.path, plan.name);
    if (!object) return std::nullopt;
    at = with_rows_.emplace(plan.name.inner, *object).first;
  }
  entry.where = building_.file.place_of(at->second.path());
  entry.turn = plan.turn ? plan.turn(lengths) : Turn{};
  std::vector<int64_t> in_file = entry.turn.lengths_in_file(lengths);
  in_file.insert(in_file.begin(), plan.row.of);
  try {
    const Hdf5Dataset dataset = at->second.dataset();
    if (dataset.lengths() == in_file) {
      in_file.erase(in_file.begin());
      const Tensor all = dataset.read().converted(DType::Float32);
      const int64_t count = all.size() / plan.row.of;
      const float* first = all.values<float>().data() + plan.row.at * count;
      entry.numbers = Tensor::of<float>(in_file, std::vector<float>(first, first + count));
    } else {
      entry.refused = quoted(entry.path) + " is row " + std::to_string(plan.row.at) + " of numbers that are " +
                      text_of(dataset.lengths()) + " in the file, and " + text_of(in_file) + " is read.";
    }
  } catch (const Refused& refused) {
    entry.refused = refused.faults().front().what;
  }
  return entry;
}

// Numbers of several datasets; what one of them is not is said at its place.
std::optional<Entry> LayerReader::joined_entry(Entry entry, const std::vector<int64_t>& lengths,
                                               const std::vector<Part>& parts) {
  Tensor all(DType::Float32, lengths);
  int64_t at = 0;
  for (const Part& part : parts) {
    const auto object = building_.numbers.take(plan_.path, {inner_path(part.inner), part.index, part.variable});
    if (!object) return std::nullopt;
    entry.where = building_.file.place_of(object->path());
    try {
      const Hdf5Dataset dataset = object->dataset();
      if (dataset.lengths() != part.lengths) {
        entry.refused = quoted(entry.path) + " is joined of numbers that are " + text_of(dataset.lengths()) +
                        " in the file here, and " + text_of(part.lengths) + " is read.";
        return entry;
      }
      const Tensor numbers = dataset.read().converted(DType::Float32);
      CAUSEWAY_CHECK(at + numbers.size() <= all.size(), "parts are as long as their slot");
      std::copy_n(numbers.values<float>().data(), numbers.size(), all.mutable_values<float>().data() + at);
      at += numbers.size();
    } catch (const Refused& refused) {
      entry.refused = refused.faults().front().what;
      return entry;
    }
  }
  CAUSEWAY_CHECK(at == all.size(), "parts are as long as their slot");
  entry.numbers = std::move(all);
  return entry;
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
