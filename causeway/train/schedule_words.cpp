#include "causeway/train/schedule_words.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/train/setting_place.h"

namespace causeway {
namespace {

struct Row {
  std::string_view word;
  Schedule (*read)(const Json& object, const std::string& where, std::vector<Fault>& faults);
};

template <class S>
constexpr Row row() {
  return {S::kName, [](const Json& object, const std::string& where, std::vector<Fault>& faults) {
            return Schedule(
                nn::SettingReader(object, std::string(S::kName), where, faults).template read<S>({"kind", "per"}));
          }};
}

// In the order of the words.
constexpr Row kRows[] = {row<ConstantRate>(),     row<CosineDecay>(),     row<CosineRestarts>(),
                         row<ExponentialDecay>(), row<LinearWarmup>(),    row<Piecewise>(),
                         row<PolynomialDecay>(),  row<ReduceOnPlateau>(), row<StepDecay>()};

}  // namespace

std::optional<Schedule> read_schedule(const Json& json, const std::string& where, std::vector<Fault>& faults) {
  const auto say = [&](const Json& at, std::string what) {
    faults.push_back({nn::place_in(where, at), std::move(what)});
  };
  const Json* kind = json.is_object() ? json.find("kind") : &json;
  if (!kind || !kind->is_text()) {
    say(json, "a schedule is a word, or an object with its \"kind\".");
    return std::nullopt;
  }
  const auto row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) { return each.word == kind->text(); });
  if (row == std::end(kRows)) {
    std::vector<std::string_view> words;
    for (const Row& each : kRows) words.push_back(each.word);
    say(*kind, quoted(kind->text()) + " is no schedule." + nearest_or_all(kind->text(), words));
    return std::nullopt;
  }
  // A word alone is an object without settings.
  Json object = json;
  if (json.is_text()) {
    object = Json(Json::Object{});
    object.set("kind", json);
  }
  const size_t before = faults.size();
  Schedule schedule = row->read(object, where, faults);
  if (const Json* per = object.find("per")) {
    if (*per != Json("epoch") && *per != Json("step")) say(*per, "'per' is \"epoch\" or \"step\".");
    schedule = schedule.counting(*per == Json("step") ? Per::Step : Per::Epoch);
  }
  if (faults.size() == before) {
    for (Fault& fault : schedule.check()) {
      const Json& at = train::setting_place(json, fault.what);
      say(at, std::move(fault.what));
    }
  }
  if (faults.size() > before) return std::nullopt;
  return schedule;
}

void read_setting(const Json& json, Schedule& into) {
  std::vector<Fault> faults;
  if (json.is_object() && json.find("per")) unfit("states 'per', and counts what the one around it counts.");
  const std::optional<Schedule> schedule = read_schedule(json, "", faults);
  std::string all;
  for (const Fault& fault : faults) all += " " + fault.what;
  if (!schedule) unfit("is no schedule:" + all);
  into = *schedule;
}

Json write_setting(const Schedule& schedule) {
  const Json all = schedule.json();
  Json::Object members;
  for (const auto& [name, value] : all.members()) {
    if (name != "per") members.emplace_back(name, value);
  }
  return members;
}

}  // namespace causeway
