#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/learn/trained_model.h"
#include "causeway/nn/setting_words.h"
#include "causeway/nn/words.h"
#include "causeway/train/fit_faults.h"
#include "causeway/train/optimizer_words.h"
#include "causeway/train/schedule_words.h"

namespace causeway {
namespace {

// What a step states beside the settings of FitOptions.
const std::vector<std::string_view> kOthers{"verb",     "layers", "loss",   "outputs", "optimizer",
                                            "schedule", "hold",   "engine", "input",   "inputs"};

// Reads the step's own keys, each fault at its place.
class LearnStep {
 public:
  LearnStep(const pipeline::LearnRequest& request, FitOptions on) : request_(request), options_(std::move(on)) {}

  TrainedModel run(const pipeline::Prepared& rows) {
    read_options();
    read_engine();
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

  void read_options() {
    for (const std::string_view key : {"input", "inputs"}) {
      if (const Json* stated = find(key)) say(*stated, "the rows say the network's input, and it is not stated again.");
    }
    nn::SettingReader(request_.stated, request_.verb, request_.step(), faults_).fill(options_, kOthers);
    for (Fault& fault : train::setting_faults(options_)) say(stated_at(fault.where), std::move(fault.what));
  }

  // What a step states under a setting's name, "early_stopping.patience"; the step where it does not.
  const Json& stated_at(const std::string& setting) const {
    const size_t dot = setting.find('.');
    const Json* stated = find(setting.substr(0, dot));
    if (stated && dot != std::string::npos) stated = stated->find(setting.substr(dot + 1));
    return stated ? *stated : request_.stated;
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
    std::optional<StatedOptimizer> optimizer = read_optimizer(*stated, request_.step(), faults_);
    if (!optimizer) return std::nullopt;
    options_.groups = optimizer->groups;
    return optimizer->optimizer;
  }

  void read_schedule_key() {
    const Json* stated = find("schedule");
    if (!stated) return;
    std::optional<Schedule> schedule = read_schedule(*stated, request_.step(), faults_);
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
