#include "causeway/train/checkpoint.h"

#include <algorithm>
#include <limits>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/base/within.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/nn/loss_list.h"

namespace causeway::train {
namespace {

constexpr std::string_view kMemory = "@memory/", kBest = "@best/";

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json groups_json(const std::vector<ParameterGroup>& groups) {
  Json::Array all;
  for (const ParameterGroup& group : groups) {
    Json json{Json::Object{}};
    json.set("paths", Json::Array(group.paths.begin(), group.paths.end()));
    json.set("learning_rate", number_or_null(group.learning_rate));
    json.set("weight_decay", number_or_null(group.weight_decay));
    all.push_back(std::move(json));
  }
  return all;
}

Json losses_json(const SavedNetwork& saved) {
  Json json{Json::Object{}};
  for (const auto& [output, loss] : saved.losses) json.set(output, nn::write_loss(loss));
  return json;
}

Json bound_json(const std::optional<Bound>& bound) {
  if (!bound) return {};
  Json json{Json::Object{}};
  json.set("limit", double{bound->limit});
  Json::Array axes;
  for (const size_t axis : bound->axes) axes.emplace_back(static_cast<int64_t>(axis));
  json.set("axes", std::move(axes));
  return json;
}

// Each slot's rules of training, by path.
Json slots_json(const Slots& slots) {
  Json json{Json::Object{}};
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    if (slot.role == Role::Constant) continue;
    Json rules{Json::Object{}};
    rules.set("shape", slot.numbers.shape().text());
    rules.set("held", slot.held);
    rules.set("penalty", Json::Array{Json(double{slot.penalty.l1}), Json(double{slot.penalty.l2})});
    rules.set("bound", bound_json(slot.max_norm));
    json.set(slot.path, std::move(rules));
  }
  return json;
}

// A sentence for each member in which two paces differ.
class PaceComparison {
 public:
  std::vector<Fault> faults;

  void compare(const Json& there, const Json& here, const std::string& name = "") {
    if (there == here) return;
    if (!there.is_object() || !here.is_object()) return say(name, sentence(there, here, name));
    const auto inner = [&name](const std::string& key) { return name.empty() ? key : name + "." + key; };
    for (const auto& [key, value] : there.members()) {
      if (const Json* other = here.find(key)) {
        compare(value, *other, inner(key));
      } else {
        say(inner(key), "the checkpoint has it, and it is not here.");
      }
    }
    for (const auto& [key, value] : here.members()) {
      if (!there.find(key)) say(inner(key), "it is not in the checkpoint.");
    }
  }

 private:
  void say(const std::string& name, std::string what) { faults.push_back({escaped(name), std::move(what)}); }

  static std::string sentence(const Json& there, const Json& here, const std::string& name) {
    if (name == "rows" || name == "validation") {
      return "the arrays are others than the checkpoint's run had: inputs, answers, weights or their order.";
    }
    return "it is " + here.dump() + " here, and " + there.dump() + " in the checkpoint.";
  }
};

const Json& member(const Json& json, std::string_view key) {
  const Json* found = json.is_object() ? json.find(key) : nullptr;
  if (!found) throw Refused("causeway.training", "its '" + std::string(key) + "' is missing.");
  return *found;
}

int64_t whole(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (!found.is_integer() || found.integer() < 0) {
    throw Refused("causeway.training", "its '" + std::string(key) + "' is no whole number of at least 0.");
  }
  return found.integer();
}

int small(const Json& json, std::string_view key) {
  const int64_t number = whole(json, key);
  if (number > std::numeric_limits<int>::max()) {
    throw Refused("causeway.training", "its '" + std::string(key) + "' is " + std::to_string(number) + ".");
  }
  return static_cast<int>(number);
}

std::optional<double> optional_number(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (found.is_null()) return std::nullopt;
  if (!found.is_number()) throw Refused("causeway.training", "its '" + std::string(key) + "' is no number.");
  return found.number();
}

Json plateau_json(const std::optional<Plateau::State>& state) {
  if (!state) return {};
  Json json{Json::Object{}};
  json.set("rate", state->rate);
  json.set("best", number_or_null(state->best));
  json.set("worse", state->worse);
  return json;
}

std::optional<Plateau::State> plateau_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Plateau::State{optional_number(json, "rate").value_or(0), optional_number(json, "best"), whole(json, "worse")};
}

Json judgement_json(const Judge::State& state) {
  Json json{Json::Object{}};
  json.set("best", number_or_null(state.best));
  json.set("best_epoch", state.best_epoch ? Json(*state.best_epoch) : Json());
  json.set("wait", state.wait);
  json.set("stopped", state.stopped);
  return json;
}

Judge::State judgement_of(const Json& json) {
  Judge::State state;
  state.best = optional_number(json, "best");
  if (!member(json, "best_epoch").is_null()) state.best_epoch = small(json, "best_epoch");
  state.wait = small(json, "wait");
  state.stopped = member(json, "stopped") == Json(true);
  return state;
}

RunState state_of(const formats::native::NativeFile& file) {
  const Json& training = file.documents.find("training")->second;
  RunState state;
  state.epochs_done = small(training, "epochs");
  state.steps = whole(training, "steps");
  state.batches = whole(training, "batches");
  state.judgement = judgement_of(member(training, "judgement"));
  state.plateau = plateau_of(member(training, "schedule"));
  const auto history = file.documents.find("history");
  if (history != file.documents.end()) state.history = history_from_json(history->second);
  for (const auto& [name, numbers] : file.tensors) {
    if (name.starts_with(kBest)) state.best.emplace(name.substr(kBest.size()), numbers);
  }
  return state;
}

// Whether a checkpoint's network has the slots of this one, and the same nodes.
void compare_networks(const Network& there, const Network& here, std::vector<Fault>& faults) {
  bool same_slots = true;
  for (size_t i = 0; i < here.slots().size(); ++i) {
    const Slot& slot = here.slots()[i];
    if (slot.role == Role::Constant) continue;
    const Slot* other = there.slots().find(slot.path);
    same_slots = same_slots && other && other->numbers.lengths() == slot.numbers.lengths();
  }
  if (same_slots && there.graph().text() == here.graph().text()) return;
  faults.push_back({"network", "it is another than the checkpoint's: its nodes or slots differ."});
}

}  // namespace

Json pace_of(const SavedNetwork& saved, const Optimizer& optimizer, const FitOptions& options, bool sample_weight,
             const std::string& rows, const std::string& validation) {
  const Engine& engine = options.engine ? *options.engine : cpu();
  Json pace{Json::Object{}}, engine_json{Json::Object{}};
  engine_json.set("name", std::string(engine.name()));
  engine_json.set("version", std::string(engine.version()));
  engine_json.set("device", std::string(engine.device()));
  // How long a run goes on and on how many threads changes no number before.
  for (auto& [name, value] : nn::written_settings(options, /*all=*/true)) {
    if (name != "epochs" && name != "threads") pace.set(name, std::move(value));
  }
  pace.set("optimizer", optimizer.json());
  pace.set("schedule", options.schedule.json());
  pace.set("groups", groups_json(options.groups));
  pace.set("losses", losses_json(saved));
  pace.set("sample_weight", sample_weight);
  pace.set("slots", slots_json(saved.network.slots()));
  pace.set("engine", std::move(engine_json));
  pace.set("rows", rows);
  pace.set("validation", validation);
  return pace;
}

void write_checkpoint(const std::string& path, const SavedNetwork& saved, const Slots& step, const RunState& state,
                      const Json& pace) {
  formats::native::NativeFile file{.saved = saved};
  for (size_t i = 0; i < step.size(); ++i) {
    if (step[i].path.starts_with(kMemory)) file.tensors.emplace(step[i].path, step[i].numbers);
  }
  for (const auto& [slot, numbers] : state.best) file.tensors.emplace(std::string(kBest) + slot, numbers);
  Json training{Json::Object{}};
  training.set("epochs", state.epochs_done);
  training.set("steps", state.steps);
  training.set("batches", state.batches);
  training.set("judgement", judgement_json(state.judgement));
  training.set("schedule", plateau_json(state.plateau));
  training.set("pace", pace);
  file.documents.emplace("training", std::move(training));
  file.documents.emplace("history", to_json(state.history));
  write_native(file, path);
}

namespace {

RunState resumed(const std::string& path, SavedNetwork& saved, Slots& step, const Json& pace, int epochs) {
  const formats::native::NativeFile file = formats::native::read_native(formats::ByteSource::open(path));
  if (!file.documents.contains("training")) {
    throw Refused(escaped(path), "it holds no training run. Resume from a file that --checkpoint wrote.");
  }
  RunState state = state_of(file);
  PaceComparison pace_comparison;
  pace_comparison.compare(member(file.documents.find("training")->second, "pace"), pace);
  std::vector<Fault> faults = std::move(pace_comparison.faults);
  compare_networks(file.saved.network, saved.network, faults);
  if (state.judgement.stopped)
    faults.push_back(
        {"",
         "the run had stopped: it was no longer improving. To train it further, read the checkpoint as the model."});
  if (epochs <= state.epochs_done) {
    faults.push_back({"", std::to_string(epochs) + " epochs are asked for, and " + std::to_string(state.epochs_done) +
                              " are done already."});
  }
  for (size_t i = 0; i < step.size(); ++i) {
    if (step[i].path.starts_with(kMemory) && !file.tensors.contains(step[i].path))
      faults.push_back({"slot " + quoted(step[i].path), "it is missing in the checkpoint."});
  }
  refuse_if_any(std::move(faults));
  Slots& slots = saved.network.slots();
  const Slots& there = file.saved.network.slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].role != Role::Constant) slots[i].assign(there.at(slots[i].path).numbers);
  }
  for (const auto& [name, numbers] : file.tensors) {
    if (!name.starts_with(kMemory)) continue;
    if (Slot* memory = step.find(name)) memory->assign(numbers);
  }
  return state;
}

}  // namespace

RunState resume(const std::string& path, SavedNetwork& saved, Slots& step, const Json& pace, int epochs) {
  return in_file(escaped(path), [&] { return resumed(path, saved, step, pace, epochs); });
}

}  // namespace causeway::train
