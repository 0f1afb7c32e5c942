#include "causeway/train/checkpoint.h"

#include <algorithm>

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

Json stopping_json(const std::optional<EarlyStopping>& rules) {
  if (!rules) return {};
  Json json{Json::Object{}};
  json.set("patience", rules->patience);
  json.set("min_delta", rules->min_delta);
  json.set("restore_best", rules->restore_best);
  json.set("start_from_epoch", rules->start_from_epoch);
  return json;
}

Json losses_json(const SavedNetwork& saved) {
  Json json{Json::Object{}};
  for (const auto& [output, loss] : saved.losses) json.set(output, nn::write_loss(loss));
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
    rules.set("bound", slot.max_norm ? Json(double{slot.max_norm->limit}) : Json());
    json.set(slot.path, std::move(rules));
  }
  return json;
}

// A sentence for each member in which two paces differ.
void compare(const Json& there, const Json& here, const std::string& name, std::vector<Fault>& faults) {
  if (there == here) return;
  if (there.is_object() && here.is_object()) {
    for (const auto& [key, value] : there.members()) {
      const Json* other = here.find(key);
      const std::string inner = name.empty() ? key : name + "." + key;
      compare(value, other ? *other : Json(), inner, faults);
    }
    for (const auto& [key, value] : here.members()) {
      if (!there.find(key)) compare(Json(), value, name.empty() ? key : name + "." + key, faults);
    }
    return;
  }
  faults.push_back({escaped(name), "it is " + here.dump() + " here, and " + there.dump() + " in the checkpoint."});
}

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

RunState state_of(const formats::native::NativeFile& file) {
  const Json& training = file.documents.find("training")->second;
  RunState state;
  state.epochs_done = static_cast<int>(whole(training, "epochs"));
  state.steps = whole(training, "steps");
  state.batches = whole(training, "batches");
  const Json& judgement = member(training, "judgement");
  if (const Json& best = member(judgement, "best"); best.is_number()) state.judgement.best = best.number();
  if (const Json& epoch = member(judgement, "best_epoch"); epoch.is_integer()) {
    state.judgement.best_epoch = static_cast<int>(epoch.integer());
  }
  state.judgement.wait = static_cast<int>(whole(judgement, "wait"));
  state.judgement.stopped = member(judgement, "stopped") == Json(true);
  const auto history = file.documents.find("history");
  if (history != file.documents.end()) state.history = history_from_json(history->second);
  for (const auto& [name, numbers] : file.tensors) {
    if (name.starts_with(kBest)) state.best.emplace(name.substr(kBest.size()), numbers);
  }
  return state;
}

}  // namespace

Json pace_of(const SavedNetwork& saved, const Optimizer& optimizer, const FitOptions& options, const std::string& rows,
             const std::string& validation) {
  const Engine& engine = options.engine ? *options.engine : cpu();
  Json pace{Json::Object{}}, engine_json{Json::Object{}};
  engine_json.set("name", std::string(engine.name()));
  engine_json.set("version", std::string(engine.version()));
  pace.set("seed", static_cast<int64_t>(options.seed));
  pace.set("batch_size", options.batch_size);
  pace.set("accumulate", options.accumulate);
  pace.set("shuffle", options.shuffle);
  pace.set("early_stopping", stopping_json(options.early_stopping));
  pace.set("clip_norm", number_or_null(options.clip_norm));
  pace.set("clip_value", number_or_null(options.clip_value));
  pace.set("optimizer", optimizer.json());
  pace.set("groups", groups_json(options.groups));
  pace.set("losses", losses_json(saved));
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
  Json judgement{Json::Object{}}, training{Json::Object{}};
  judgement.set("best", number_or_null(state.judgement.best));
  judgement.set("best_epoch", state.judgement.best_epoch ? Json(*state.judgement.best_epoch) : Json());
  judgement.set("wait", state.judgement.wait);
  judgement.set("stopped", state.judgement.stopped);
  training.set("epochs", state.epochs_done);
  training.set("steps", state.steps);
  training.set("batches", state.batches);
  training.set("judgement", std::move(judgement));
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
  std::vector<Fault> faults;
  compare(member(file.documents.find("training")->second, "pace"), pace, "", faults);
  if (state.judgement.stopped) faults.push_back({"", "the run had stopped: it was no longer improving."});
  if (epochs <= state.epochs_done) {
    faults.push_back({"", std::to_string(epochs) + " epochs are asked for, and " + std::to_string(state.epochs_done) +
                              " are done already."});
  }
  const Slots& there = file.saved.network.slots();
  for (size_t i = 0; i < step.size(); ++i) {
    const bool memory = step[i].path.starts_with(kMemory);
    if (memory && !file.tensors.contains(step[i].path)) {
      faults.push_back({"slot " + quoted(step[i].path), "it is missing in the checkpoint."});
    }
  }
  refuse_if_any(std::move(faults));
  Slots& slots = saved.network.slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].role != Role::Constant) slots[i].assign(there.at(slots[i].path).numbers);
  }
  for (const auto& [name, numbers] : file.tensors) {
    if (name.starts_with(kMemory)) {
      if (Slot* memory = step.find(name)) memory->assign(numbers);
    }
  }
  return state;
}

}  // namespace

RunState resume(const std::string& path, SavedNetwork& saved, Slots& step, const Json& pace, int epochs) {
  return in_file(escaped(path), [&] { return resumed(path, saved, step, pace, epochs); });
}

}  // namespace causeway::train
