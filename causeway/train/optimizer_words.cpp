#include "causeway/train/optimizer_words.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/nn/setting_words.h"
#include "causeway/train/optimizer_list.h"
#include "causeway/train/setting_place.h"

namespace causeway {
namespace {

std::vector<std::string_view> words() {
  std::vector<std::string_view> all;
  for (const train::OptimizerRow& row : train::all_optimizers()) all.push_back(row.word);
  return all;
}

// Reads the members of an optimizer's object.
class OptimizerReader {
 public:
  OptimizerReader(const Json& json, std::string where, std::vector<Fault>& faults)
      : json_(json), where_(std::move(where)), faults_(faults) {}

  std::optional<StatedOptimizer> read() {
    const Json* kind = json_.is_object() ? json_.find("kind") : &json_;
    if (!kind || !kind->is_text()) {
      say(json_, "an optimizer is a word, or an object with its \"kind\".");
      return std::nullopt;
    }
    const auto rows = train::all_optimizers();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.word == kind->text(); });
    if (row == rows.end()) {
      say(*kind, quoted(kind->text()) + " is no optimizer." + nearest_or_all(kind->text(), words()));
      return std::nullopt;
    }
    if (!json_.is_object()) return StatedOptimizer{row->plain(), {}};
    const size_t before = faults_.size();
    StatedOptimizer stated{row->read(json_, where_, {"kind", "groups"}, faults_), {}};
    if (const Json* groups = json_.find("groups")) read_groups(*groups, stated.groups);
    if (faults_.size() == before) {
      for (Fault& fault : stated.optimizer.check()) {
        const Json& at = train::setting_place(json_, fault.what);
        say(at, std::move(fault.what));
      }
    }
    if (faults_.size() > before) return std::nullopt;
    return stated;
  }

 private:
  void say(const Json& at, std::string what) { faults_.push_back({nn::place_in(where_, at), std::move(what)}); }

  void read_groups(const Json& json, std::vector<ParameterGroup>& groups) {
    if (!json.is_array()) return say(json, "'groups' is a list of objects with \"paths\".");
    for (const Json& stated : json.items()) {
      const Json* paths = stated.is_object() ? stated.find("paths") : nullptr;
      if (!paths || !paths->is_array() || paths->items().empty()) {
        say(stated, "a group is an object with its \"paths\".");
        continue;
      }
      ParameterGroup group;
      for (const Json& path : paths->items()) {
        if (path.is_text() && !path.text().empty()) {
          group.paths.push_back(path.text());
        } else {
          say(path, "a path is a text, and no empty one.");
        }
      }
      for (const auto& [name, value] : stated.members()) {
        if (name == "paths") continue;
        if (name != "learning_rate" && name != "weight_decay") {
          say(value, "a group has no " + quoted(name) + "." +
                         nearest_or_all(name, {"learning_rate", "paths", "weight_decay"}));
          continue;
        }
        try {
          nn::read_setting(value, (name == "learning_rate" ? group.learning_rate : group.weight_decay).emplace());
        } catch (const Unfit& unfit) {
          say(value, "'" + name + "' " + unfit.what());
        }
      }
      groups.push_back(std::move(group));
    }
  }

  const Json& json_;
  std::string where_;
  std::vector<Fault>& faults_;
};

}  // namespace

std::optional<StatedOptimizer> read_optimizer(const Json& json, const std::string& where, std::vector<Fault>& faults) {
  return OptimizerReader(json, where, faults).read();
}

}  // namespace causeway
