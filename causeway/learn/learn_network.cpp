#include <algorithm>
#include <array>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/learn/trained_model.h"
#include "causeway/nn/setting_words.h"
#include "causeway/nn/words.h"
#include "causeway/train/optimizer_words.h"
#include "causeway/train/schedule_words.h"

namespace causeway {
namespace {

constexpr std::array<std::string_view, 18> kKeys{
    "layers",         "loss",         "outputs", "optimizer", "schedule",   "epochs",
    "batch_size",     "seed",         "shuffle", "clip_norm", "clip_value", "accumulate",
    "early_stopping", "class_weight", "hold",    "engine",    "threads",    "verb"};

// As on the command line.
constexpr int64_t kMostEpochs = 1'000'000, kMostThreads = 1024;

// Reads the step's own keys, each fault at its place.
class LearnStep {
 public:
  LearnStep(const pipeline::LearnRequest& request, FitOptions on) : request_(request), options_(std::move(on)) {}

  TrainedModel run(const pipeline::Prepared& rows) {
    expect_known_keys();
    read_options();
    std::optional<Optimizer> optimizer = read_optimizer_key();
    read_schedule_key();
    refuse_if_any(std::move(faults_));
    SavedNetwork saved = network(rows.features.size());
    hold(saved);
    return fit(std::move(saved), rows, *optimizer, options_);
  }

 private:
  void say(const Json& at, std::string what) { faults_.push_back({request_.place_of(at), std::move(what)}); }
  const Json* find(std::string_view key) const { return request_.stated.find(key); }

  void expect_known_keys() {
    if (find("input") || find("inputs")) {
      say(*(find("input") ? find("input") : find("inputs")),
          "the rows say the network's input, and it is not stated again.");
    }
    for (const auto& [key, value] : request_.stated.members()) {
      if (std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end() || key == "input" || key == "inputs") continue;
      const std::string nearest = nearest_word(key, {kKeys.begin(), kKeys.end()});
      say(value, "learn.network has no " + quoted(key) + "." +
                     (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
    }
  }

  template <class T, class Into>
  void take(const Json& object, std::string_view key, Into& into, bool required = false) {
    const Json* stated = object.find(key);
    if (!stated) {
      if (required) say(object, "its '" + std::string(key) + "' is missing.");
      return;
    }
    try {
      T value{};
      nn::read_setting(*stated, value);
      into = static_cast<Into>(value);
    } catch (const Unfit& unfit) {
      say(*stated, "'" + std::string(key) + "' " + unfit.what());
    }
  }

  void expect_within(const Json& object, std::string_view key, int64_t number, int64_t least, int64_t most) {
    if (number >= least && number <= most) return;
    say(*object.find(key), "'" + std::string(key) + "' is " + std::to_string(number) + ", and " +
                               std::to_string(least) + " to " + std::to_string(most) + " are read.");
  }

  void read_options() {
    const Json& stated = request_.stated;
    int64_t seed = 0, epochs = 1, accumulate = 1, threads = options_.threads;
    take<int64_t>(stated, "seed", seed, /*required=*/true);
    take<int64_t>(stated, "epochs", epochs);
    take<int64_t>(stated, "batch_size", options_.batch_size);
    take<int64_t>(stated, "accumulate", accumulate);
    take<int64_t>(stated, "threads", threads);
    take<bool>(stated, "shuffle", options_.shuffle);
    take<std::optional<double>>(stated, "clip_norm", options_.clip_norm);
    take<std::optional<double>>(stated, "clip_value", options_.clip_value);
    if (seed < 0) say(*find("seed"), "'seed' is below 0.");
    expect_within(stated, "epochs", epochs, 1, kMostEpochs);
    expect_within(stated, "accumulate", accumulate, 1, kMostEpochs);
    expect_within(stated, "threads", threads, 1, kMostThreads);
    options_.seed = static_cast<uint64_t>(std::max<int64_t>(seed, 0));
    options_.epochs = static_cast<int>(epochs);
    options_.accumulate = static_cast<int>(accumulate);
    options_.threads = static_cast<int>(threads);
    read_early_stopping();
    read_class_weight();
    read_engine();
  }

  void read_early_stopping() {
    const Json* stated = find("early_stopping");
    if (!stated || stated->is_null()) return;
    if (!stated->is_object()) return say(*stated, "'early_stopping' is an object.");
    constexpr std::array<std::string_view, 4> kRules{"patience", "min_delta", "restore_best", "start_from_epoch"};
    for (const auto& [key, value] : stated->members()) {
      if (std::find(kRules.begin(), kRules.end(), key) == kRules.end())
        say(value, "early_stopping has no " + quoted(key) + ".");
    }
    EarlyStopping rules;
    int64_t patience = rules.patience, start_from_epoch = rules.start_from_epoch;
    take<int64_t>(*stated, "patience", patience);
    take<double>(*stated, "min_delta", rules.min_delta);
    take<bool>(*stated, "restore_best", rules.restore_best);
    take<int64_t>(*stated, "start_from_epoch", start_from_epoch);
    expect_within(*stated, "patience", patience, 0, kMostEpochs);
    expect_within(*stated, "start_from_epoch", start_from_epoch, 0, kMostEpochs);
    rules.patience = static_cast<int>(patience);
    rules.start_from_epoch = static_cast<int>(start_from_epoch);
    options_.early_stopping = rules;
  }

  void read_class_weight() {
    const Json* stated = find("class_weight");
    if (!stated || stated->is_null()) return;
    try {
      options_.class_weight = class_weights_of(*stated);
    } catch (const Unfit& unfit) {
      say(*stated, unfit.what());
    }
  }

  void read_engine() {
    const Json* stated = find("engine");
    if (!stated) return;
    if (!stated->is_text()) return say(*stated, "'engine' is a name.");
    try {
      options_.engine = &engine_named(stated->text());
    } catch (const Refused& refused) {
      say(*stated, refused.faults()[0].what);
    }
  }

  std::optional<Optimizer> read_optimizer_key() {
    const Json* stated = find("optimizer");
    if (!stated) {
      say(request_.stated, "its 'optimizer' is missing.");
      return std::nullopt;
    }
    std::vector<Fault> found;
    std::optional<StatedOptimizer> optimizer = read_optimizer(*stated, "", found);
    for (Fault& fault : found) say(*stated, std::move(fault.what));
    if (!optimizer) return std::nullopt;
    options_.groups = optimizer->groups;
    return optimizer->optimizer;
  }

  void read_schedule_key() {
    const Json* stated = find("schedule");
    if (!stated) return;
    std::vector<Fault> found;
    std::optional<Schedule> schedule = read_schedule(*stated, "", found);
    for (Fault& fault : found) say(*stated, std::move(fault.what));
    if (schedule) options_.schedule = std::move(*schedule);
  }

  SavedNetwork network(size_t features) {
    Json words{Json::Object{}};
    words.set("input", Json::Array{Json(static_cast<int64_t>(features))});
    for (const std::string_view key : {"layers", "outputs", "loss"}) {
      if (const Json* stated = find(key)) words.set(key, *stated);
    }
    return network_of_json(words, request_.where, {.seed = options_.seed});
  }

  void hold(SavedNetwork& saved) {
    const Json* stated = find("hold");
    if (!stated) return;
    std::vector<Fault> faults;
    if (!stated->is_array()) throw Refused(request_.place_of(*stated), "'hold' is a list of paths.");
    for (const Json& path : stated->items()) {
      if (path.is_text() && saved.network.has_path(path.text())) {
        saved.network.layer(path.text()).hold();
      } else {
        faults.push_back({request_.place_of(path), "no layer or slot of the network has this path."});
      }
    }
    refuse_if_any(std::move(faults));
  }

  const pipeline::LearnRequest& request_;
  FitOptions options_;
  std::vector<Fault> faults_;
};

}  // namespace

TrainedModel learn_network(const pipeline::LearnRequest& request, const pipeline::Prepared& rows, FitOptions on) {
  return LearnStep(request, std::move(on)).run(rows);
}

}  // namespace causeway
