#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/native/graph_json.h"
#include "causeway/ops/op_list.h"
#include "causeway/reference/reference.h"

namespace causeway::formats::native {
namespace {

constexpr int kDeepest = 16;  // graphs inside graphs

// Members of a document that must be there and of a kind; unfit() otherwise.
const Json& member(const Json& json, std::string_view key) {
  const Json* found = json.is_object() ? json.find(key) : nullptr;
  if (!found) unfit("its '" + std::string(key) + "' is missing.");
  return *found;
}
const std::string& text_member(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (!found.is_text()) unfit("its '" + std::string(key) + "' is no text.");
  return found.text();
}
const Json::Array& list_member(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (!found.is_array()) unfit("its '" + std::string(key) + "' is no list.");
  return found.items();
}
void expect_keys(const Json& json, std::initializer_list<std::string_view> known) {
  if (!json.is_object()) unfit("an object is read where " + std::string(json.kind_name()) + " stands.");
  for (const auto& [key, value] : json.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string nearest = nearest_word(key, {known.begin(), known.end()});
    unfit("it holds " + quoted(key) + ", which is no key here." +
          (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
  }
}
// The factors of penalties and the limits of norms.
float factor_of(const Json& json) {
  if (!json.is_number()) unfit("a number is read where " + std::string(json.kind_name()) + " stands.");
  const double number = json.number();
  if (!(number >= 0 && number <= double{std::numeric_limits<float>::max()})) {
    unfit("it holds " + text_of(number) + ", and a finite number of at least 0 is read.");
  }
  return static_cast<float>(number);
}

Role role_named(const std::string& word) {
  for (const Role role : {Role::Learned, Role::Measured, Role::Constant}) {
    if (name_of(role) == word) return role;
  }
  unfit("its role is " + quoted(word) + ", and learned, measured or constant is read.");
}

Slot slot_from_json(const Json& json) {
  Slot slot;
  slot.path = text_member(json, "path");
  expect_keys(json, {"path", "also", "role", "held", "penalty", "bound"});
  if (slot.path.empty() || slot.path.starts_with("@"))
    unfit("its path is " + quoted(slot.path) + ", which no slot has.");
  slot.role = role_named(text_member(json, "role"));
  if (json.find("also")) {
    for (const Json& name : list_member(json, "also")) {
      if (!name.is_text()) unfit("its 'also' holds no text.");
      slot.also.push_back(name.text());
    }
  }
  if (const Json* held = json.find("held")) {
    if (!held->is_bool()) unfit("its 'held' is neither true nor false.");
    slot.held = held->boolean();
  }
  if (json.find("penalty")) {
    const Json::Array& both = list_member(json, "penalty");
    if (both.size() != 2) unfit("its 'penalty' is two numbers.");
    slot.penalty = {factor_of(both[0]), factor_of(both[1])};
  }
  if (const Json* bound = json.find("bound")) {
    slot.max_norm.emplace();
    slot.max_norm->limit = factor_of(member(*bound, "limit"));
    for (const Json& axis : list_member(*bound, "axes")) {
      if (!axis.is_integer() || axis.integer() < 0) unfit("its 'bound' names no axes.");
      slot.max_norm->axes.push_back(static_cast<size_t>(axis.integer()));
    }
  }
  return slot;
}

// One number of a list that may hold texts for what JSON has no number for.
std::optional<double> real_of(const Json& json) {
  if (json.is_number()) return json.number();
  if (!json.is_text()) return std::nullopt;
  if (json.text() == "inf") return std::numeric_limits<double>::infinity();
  if (json.text() == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

class GraphReader {
 public:
  GraphReader(const Json& json, Slots& slots) : json_(json), slots_(slots), builder_(slots) {
    builder_.fold_with(reference::folder());
  }

  Graph read(int depth) {
    depth_ = depth;
    attempt("network", [&] {
      if (!json_.is_object()) unfit("it is no object.");
      read_inputs();
      read_scopes();
    });
    refuse_if_any(faults_);
    const Json::Array* nodes = nullptr;
    attempt("network", [&] { nodes = &list_member(json_, "nodes"); });
    refuse_if_any(faults_);
    for (size_t i = 0; i < nodes->size(); ++i) {
      attempt("node " + std::to_string(i), [&] { read_node((*nodes)[i]); });
      // A node behind a refused one would only repeat its fault.
      if (!faults_.empty() && !keeps_reading((*nodes)[i])) break;
    }
    refuse_if_any(faults_);
    attempt("network", [&] { read_outputs(); });
    refuse_if_any(faults_);
    return std::move(builder_).finish();
  }

 private:
  template <class Body>
  void attempt(const std::string& where, const Body& body) {
    try {
      body();
    } catch (const Unfit& unfit) {
      faults_.push_back({where, unfit.what()});
    }
  }

  // After a fault the outputs of a node stand for values of unknown type.
  bool keeps_reading(const Json& node) {
    const Json* outputs = node.is_object() ? node.find("outputs") : nullptr;
    if (!outputs || !outputs->is_array()) return false;
    for (const Json& name : outputs->items()) {
      if (!name.is_text()) return false;
      values_.try_emplace(name.text(), builder_.shared_input("@unknown", Type{}));
    }
    return true;
  }

  void read_inputs() {
    for (const Json& door : list_member(json_, "inputs")) {
      expect_keys(door, {"name", "dtype", "shape", "axes", "value"});
      const std::string& name = text_member(door, "name");
      const std::optional<DType> dtype = dtype_named(text_member(door, "dtype"));
      if (!dtype) unfit("input " + quoted(name) + " has no dtype that is known.");
      if (values_.contains("input/" + name)) unfit("input " + quoted(name) + " is there twice.");
      values_["input/" + name] =
          builder_.input(name, {*dtype, shape_of(member(door, "shape"))}, text_member(door, "axes"));
    }
  }

  static Shape shape_of(const Json& json) {
    if (json.is_null()) return {};
    if (!json.is_array()) unfit("a shape is a list.");
    std::vector<Dim> dims;
    for (const Json& length : json.items()) {
      if (length.is_integer() && length.integer() >= 0) {
        dims.emplace_back(length.integer());
      } else if (length.is_null()) {
        dims.emplace_back();
      } else {
        const std::optional<Dim> dim = length.is_text() ? Dim::parse(length.text()) : std::nullopt;
        if (!dim) unfit("a length is a number of at least 0, a formula, or null.");
        dims.push_back(*dim);
      }
    }
    return Shape(dims);
  }

  void read_scopes() {
    for (const Json& json : list_member(json_, "scopes")) {
      expect_keys(json, {"path", "kind", "settings"});
      Scope scope{text_member(json, "path"), text_member(json, "kind"), {}};
      if (json.find("settings")) scope.settings = text_member(json, "settings");
      scopes_.push_back(std::move(scope));
    }
  }

  Value value_named(const Json& name) {
    if (!name.is_text()) unfit("a value is named by a text.");
    if (name.text().empty()) return {};
    if (const auto at = values_.find(name.text()); at != values_.end()) return at->second;
    constexpr std::string_view kSlot = "slot/";
    if (name.text().starts_with(kSlot)) {
      const std::string path = name.text().substr(kSlot.size());
      if (slots_.find(path)) return values_[name.text()] = builder_.slot(path);
    }
    unfit("nothing above it makes the value " + quoted(name.text()) + ".");
  }

  static void expect_settings(const Op& plain, const Settings& stated) {
    const Settings settings = plain.settings();
    std::vector<std::string_view> known;
    for (const NamedSetting& setting : settings) known.push_back(setting.name);
    for (const NamedSetting& setting : stated) {
      if (std::find(known.begin(), known.end(), setting.name) != known.end()) continue;
      unfit(std::string(plain.name()) + " has no setting " + quoted(setting.name) + "." +
            nearest_or_all(setting.name, known));
    }
  }

  void read_node(const Json& json) {
    if (!json.is_object()) unfit("it is no object.");
    expect_keys(json, {"op", "scope", "inputs", "outputs", "settings"});
    const std::string& name = text_member(json, "op");
    const std::optional<Op> plain = ops::make_op(name, {});
    if (!plain) {
      std::vector<std::string_view> known;
      for (const ops::OpRow& row : ops::all_ops()) known.push_back(row.name);
      const std::string nearest = nearest_word(name, known);
      unfit("no op is named " + quoted(name) + "." +
            (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
    }
    Settings stated = settings_of_node(json);
    expect_settings(*plain, stated);
    std::optional<Op> op = ops::make_op(name, std::move(stated));
    const Json& scope = member(json, "scope");
    if (!scope.is_integer() || scope.integer() < 0 || scope.integer() >= static_cast<int64_t>(scopes_.size())) {
      unfit("its scope is none of the list.");
    }
    Values inputs;
    for (const Json& input : list_member(json, "inputs")) inputs.push_back(value_named(input));
    const ScopeGuard guard = builder_.scope_of(scopes_[static_cast<size_t>(scope.integer())]);
    const Values outputs = builder_.add(std::move(*op), std::move(inputs));
    const Json::Array& names = list_member(json, "outputs");
    if (names.size() != outputs.size()) {
      unfit("it has " + std::to_string(names.size()) + " outputs here, and " + name + " makes " +
            std::to_string(outputs.size()) + ".");
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!names[i].is_text() || !values_.emplace(names[i].text(), outputs[i]).second)
        unfit("an output's name is a new text.");
    }
  }

  Settings settings_of_node(const Json& json) {
    Settings settings;
    const Json* stated = json.find("settings");
    if (!stated) return settings;
    if (!stated->is_object()) unfit("its settings are no object.");
    for (const auto& [name, value] : stated->members()) {
      // Ops name their settings in messages as they are, and theirs are plain words.
      if (escaped(name) != name) unfit("no op has a setting named " + quoted(name) + ".");
      settings.push_back({name, setting_of(value)});
    }
    return settings;
  }

  Setting setting_of(const Json& json) {
    if (json.is_bool()) return json.boolean();
    if (json.is_integer()) return json.integer();
    if (json.is_text() && !real_of(json)) return json.text();
    if (const std::optional<double> real = real_of(json)) return *real;
    if (json.is_array()) return list_of(json);
    if (json.is_object()) {
      if (depth_ >= kDeepest) unfit("graphs lie more than " + std::to_string(kDeepest) + " deep in one another.");
      return std::make_shared<const Graph>(GraphReader(json, slots_).read(depth_ + 1));
    }
    unfit("a setting is null.");
  }

  static Setting list_of(const Json& json) {
    std::vector<int64_t> whole;
    std::vector<double> real;
    for (const Json& item : json.items()) {
      if (!item.is_number()) unfit("a list among its settings holds no numbers.");
      if (item.is_integer()) whole.push_back(item.integer());
      real.push_back(item.number());
    }
    if (whole.size() == real.size()) return whole;
    return real;
  }

  void read_outputs() {
    std::set<std::string> taken;
    for (const Json& door : list_member(json_, "outputs")) {
      expect_keys(door, {"name", "dtype", "shape", "axes", "value"});
      const std::string& name = text_member(door, "name");
      if (!taken.insert(name).second) unfit("output " + quoted(name) + " is there twice.");
      const Value value = value_named(member(door, "value"));
      if (!value) unfit("output " + quoted(name) + " has no value.");
      expect_stated(door, value);
      builder_.output(name, value, text_member(door, "axes"));
    }
  }

  // What a door states of its value may say less than the graph, and nothing else.
  static void expect_stated(const Json& door, const Value& value) {
    const Shape stated = shape_of(member(door, "shape")), made = value.shape();
    bool fits = text_member(door, "dtype") == name_of(value.dtype());
    if (fits && stated.has_rank() && made.has_rank()) {
      fits = stated.rank() == made.rank();
      for (size_t axis = 0; fits && axis < made.rank(); ++axis) fits = stated[axis].equals(made[axis]) != false;
    }
    if (fits) return;
    unfit("output " + quoted(text_member(door, "name")) + " is " + value.type().text() + ", and it is stated to be " +
          escaped(text_member(door, "dtype")) + " " + stated.text() + ".");
  }

  const Json& json_;
  Slots& slots_;
  GraphBuilder builder_;
  int depth_ = 0;
  std::vector<Scope> scopes_;
  std::map<std::string, Value, std::less<>> values_;
  std::vector<Fault> faults_;
};

}  // namespace

void slots_from_json(const Json& json, const std::map<std::string, Tensor, std::less<>>& tensors, Slots& slots,
                     std::vector<Fault>& faults) {
  if (!json.is_array()) {
    faults.push_back({"network", "its 'slots' are no list."});
    return;
  }
  for (size_t i = 0; i < json.items().size(); ++i) {
    std::string where = "slot " + std::to_string(i);
    try {
      Slot slot = slot_from_json(json.items()[i]);
      where = "slot " + quoted(slot.path);
      std::set<std::string_view> names{slot.path};
      for (const std::string& name : slot.also) {
        if (slots.find(name) || !names.insert(name).second) unfit("its further name " + quoted(name) + " is taken.");
      }
      if (slots.find(slot.path)) unfit("it is there twice.");
      const auto tensor = tensors.find(slot.path);
      if (tensor == tensors.end()) unfit("the file holds no tensor of its name.");
      const bool widens = slot.role != Role::Constant && tensor->second.dtype() == DType::Float16;
      if (slot.role != Role::Constant && tensor->second.dtype() != DType::Float32 && !widens) {
        unfit("it is " + std::string(name_of(tensor->second.dtype())) + " in the file, and a slot holds float32.");
      }
      if (slot.max_norm) {
        for (const size_t axis : slot.max_norm->axes)
          axis_in(static_cast<int64_t>(axis), tensor->second.rank(), "bound");
      }
      slot.numbers = slot.role == Role::Constant ? tensor->second : Tensor(DType::Float32, tensor->second.lengths());
      slots.add(std::move(slot));
    } catch (const Unfit& unfit) {
      faults.push_back({where, unfit.what()});
    }
  }
}

Graph graph_from_json(const Json& json, Slots& slots) { return GraphReader(json, slots).read(0); }

}  // namespace causeway::formats::native
