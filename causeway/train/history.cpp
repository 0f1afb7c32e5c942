#include "causeway/train/history.h"

#include "causeway/base/fault.h"

namespace causeway {
namespace {

Json optional_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

const Json& member(const Json& json, std::string_view key) {
  const Json* found = json.is_object() ? json.find(key) : nullptr;
  if (!found) throw Refused("history", "its '" + std::string(key) + "' is missing.");
  return *found;
}

double number(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (!found.is_number()) throw Refused("history", "its '" + std::string(key) + "' is no number.");
  return found.number();
}

int64_t whole(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (!found.is_integer() || found.integer() < 0)
    throw Refused("history", "its '" + std::string(key) + "' is no whole number.");
  return found.integer();
}

}  // namespace

std::string_view name_of(Stopping stopping) {
  return stopping == Stopping::AllEpochsRan ? "all_epochs_ran" : "no_longer_improving";
}

Json to_json(const History& history) {
  Json::Array epochs;
  for (const EpochRecord& record : history.epochs) {
    Json epoch{Json::Object{}};
    epoch.set("epoch", record.epoch);
    epoch.set("loss", record.loss);
    epoch.set("validation_loss", optional_json(record.validation_loss));
    epoch.set("learning_rate", record.learning_rate);
    epochs.push_back(std::move(epoch));
  }
  Json json{Json::Object{}};
  json.set("seed", static_cast<int64_t>(history.seed));
  json.set("epochs", std::move(epochs));
  json.set("best_epoch", history.best_epoch ? Json(*history.best_epoch) : Json());
  json.set("stopping", std::string(name_of(history.stopping)));
  return json;
}

History history_from_json(const Json& json) {
  History history;
  history.seed = static_cast<uint64_t>(whole(json, "seed"));
  const Json& epochs = member(json, "epochs");
  if (!epochs.is_array()) throw Refused("history", "its 'epochs' are no list.");
  for (const Json& epoch : epochs.items()) {
    EpochRecord record{static_cast<int>(whole(epoch, "epoch")), number(epoch, "loss"), std::nullopt,
                       number(epoch, "learning_rate")};
    if (!member(epoch, "validation_loss").is_null()) record.validation_loss = number(epoch, "validation_loss");
    history.epochs.push_back(record);
  }
  if (!member(json, "best_epoch").is_null()) history.best_epoch = static_cast<int>(whole(json, "best_epoch"));
  const Json& stopping = member(json, "stopping");
  history.stopping = stopping == Json(std::string(name_of(Stopping::NoLongerImproving))) ? Stopping::NoLongerImproving
                                                                                         : Stopping::AllEpochsRan;
  return history;
}

}  // namespace causeway
