#include "causeway/train/fit_faults.h"

#include <cmath>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::train {
namespace {

constexpr uint64_t kSeeds = uint64_t{1} << 53;

// Looks at one group of settings after the other.
class SettingFaults {
 public:
  explicit SettingFaults(const FitOptions& options) : options_(options) {}

  std::vector<Fault> take() && { return std::move(faults_); }

  void check_counts() {
    if (options_.seed >= kSeeds) say("seed", "is " + std::to_string(options_.seed) + ", and lies below 2^53.");
    within("epochs", options_.epochs, 1, kMostEpochs);
    if (options_.batch_size < 1)
      say("batch_size", "is " + std::to_string(options_.batch_size) + ", and at least 1 is read.");
    within("accumulate", options_.accumulate, 1, kMostEpochs);
    within("threads", options_.threads, 1, kMostThreads);
  }

  void check_clips() {
    for (const auto& [name, limit] :
         {std::pair("clip_norm", options_.clip_norm), std::pair("clip_value", options_.clip_value)}) {
      if (limit && !(*limit > 0 && std::isfinite(*limit)))
        say(name, "is " + text_of(*limit) + ", and is finite and above 0.");
    }
  }

  void check_early_stopping() {
    if (!options_.early_stopping) return;
    const EarlyStopping& rules = *options_.early_stopping;
    within("early_stopping.patience", rules.patience, 0, kMostEpochs);
    within("early_stopping.start_from_epoch", rules.start_from_epoch, 0, kMostEpochs);
    if (!(rules.min_delta >= 0 && std::isfinite(rules.min_delta)))
      say("early_stopping.min_delta", "is " + text_of(rules.min_delta) + ", and is finite and at least 0.");
  }

  void check_class_weight() {
    for (const auto& [number, weight] : options_.class_weight) {
      if (weight >= 0 && std::isfinite(weight)) continue;
      say("class_weight",
          "is " + text_of(weight) + " for class " + std::to_string(number) + ", and is finite and at least 0.");
    }
  }

 private:
  void say(const std::string& name, std::string what) {
    const std::string last = name.substr(name.rfind('.') + 1);
    faults_.push_back({name, "'" + last + "' " + std::move(what)});
  }
  void within(const std::string& name, int64_t number, int64_t least, int64_t most) {
    if (number >= least && number <= most) return;
    say(name, "is " + std::to_string(number) + ", and " + std::to_string(least) + " to " + std::to_string(most) +
                  " are read.");
  }

  const FitOptions& options_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> setting_faults(const FitOptions& options) {
  SettingFaults faults(options);
  faults.check_counts();
  faults.check_clips();
  faults.check_early_stopping();
  faults.check_class_weight();
  return std::move(faults).take();
}

std::vector<Fault> faults_of(const FitOptions& options) {
  std::vector<Fault> faults = setting_faults(options);
  for (Fault& fault : faults) fault.where = "options";
  const auto say = [&faults](std::string what) { faults.push_back({"options", std::move(what)}); };
  const auto judges = [&](const std::string& what) {
    if (options.validation || options.validation_share) return;
    say(what + " judges by a validation loss, and no validation rows are stated.");
  };
  if (options.validation && options.validation_share) say("validation is stated both as a share and as rows.");
  if (options.validation_share && !(*options.validation_share > 0 && *options.validation_share < 1)) {
    say("the validation share is " + text_of(*options.validation_share) + ", and lies between 0 and 1.");
  }
  if (options.early_stopping) judges("early stopping");
  if (options.checkpoint && options.checkpoint->best_only) judges("'best_only'");
  if (options.schedule.as<ReduceOnPlateau>()) judges("the schedule reduce_on_plateau");
  for (Fault& fault : options.schedule.check()) faults.push_back(std::move(fault));
  return faults;
}

}  // namespace causeway::train
