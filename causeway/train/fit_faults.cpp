#include "causeway/train/fit_faults.h"

#include <cmath>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::train {
namespace {

constexpr uint64_t kSeeds = uint64_t{1} << 53;

// Looks at one group of options after the other.
class OptionFaults {
 public:
  explicit OptionFaults(const FitOptions& options)
      : options_(options), validates_(options.validation || options.validation_share) {}

  std::vector<Fault> take() { return std::move(faults_); }

  void check_counts() {
    if (options_.seed >= kSeeds) say("the seed is " + std::to_string(options_.seed) + ", and lies below 2^53.");
    at_least_one("epochs", options_.epochs);
    at_least_one("batch_size", options_.batch_size);
    at_least_one("accumulate", options_.accumulate);
    at_least_one("threads", options_.threads);
  }

  void check_clips() {
    for (const auto& [name, limit] :
         {std::pair("clip_norm", options_.clip_norm), std::pair("clip_value", options_.clip_value)}) {
      if (limit && !(*limit > 0 && std::isfinite(*limit)))
        say("'" + std::string(name) + "' is " + text_of(*limit) + ", and is finite and above 0.");
    }
  }

  void check_validation() {
    if (options_.validation && options_.validation_share) say("validation is stated both as a share and as rows.");
    if (options_.validation_share && !(*options_.validation_share > 0 && *options_.validation_share < 1)) {
      say("the validation share is " + text_of(*options_.validation_share) + ", and lies between 0 and 1.");
    }
    if (options_.early_stopping) {
      judges("early stopping");
      const EarlyStopping& rules = *options_.early_stopping;
      if (rules.patience < 0) say("'patience' is " + std::to_string(rules.patience) + ", and is at least 0.");
      if (rules.start_from_epoch < 0)
        say("'start_from_epoch' is " + std::to_string(rules.start_from_epoch) + ", and is at least 0.");
      if (!(rules.min_delta >= 0 && std::isfinite(rules.min_delta)))
        say("'min_delta' is " + text_of(rules.min_delta) + ", and is finite and at least 0.");
    }
    if (options_.checkpoint && options_.checkpoint->best_only) judges("'best_only'");
    if (options_.schedule.as<ReduceOnPlateau>()) judges("the schedule reduce_on_plateau");
  }

  void check_schedule() {
    for (Fault& fault : options_.schedule.check()) faults_.push_back(std::move(fault));
  }

  void check_class_weight() {
    for (const auto& [number, weight] : options_.class_weight) {
      if (weight >= 0 && std::isfinite(weight)) continue;
      say("the weight of class " + std::to_string(number) + " is " + text_of(weight) +
          ", and is finite and at least 0.");
    }
  }

 private:
  void say(std::string what) { faults_.push_back({"options", std::move(what)}); }
  void at_least_one(std::string_view name, int64_t number) {
    if (number < 1) say("'" + std::string(name) + "' is " + std::to_string(number) + ", and at least 1 is read.");
  }
  void judges(const std::string& what) {
    if (!validates_) say(what + " judges by a validation loss, and no validation rows are stated.");
  }

  const FitOptions& options_;
  bool validates_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> faults_of(const FitOptions& options) {
  OptionFaults faults(options);
  faults.check_counts();
  faults.check_clips();
  faults.check_validation();
  faults.check_schedule();
  faults.check_class_weight();
  return faults.take();
}

}  // namespace causeway::train
