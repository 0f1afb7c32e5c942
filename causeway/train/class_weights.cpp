#include "causeway/train/class_weights.h"

#include <charconv>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway {

void read_setting(const Json& json, ClassWeights& into) {
  if (json.is_null()) return into.clear();
  if (!json.is_object()) unfit("is no object from class to weight, {\"0\": 1, \"1\": 3}.");
  for (const auto& [name, value] : json.members()) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || std::to_string(number) != name || number < 0)
      unfit("weighs " + quoted(name) + ", which is no class: a whole number is.");
    if (!value.is_number()) unfit("weighs class " + name + " by what is no number.");
    into[number] = value.number();
  }
}

Json write_setting(const ClassWeights& weights) {
  Json json{Json::Object{}};
  for (const auto& [number, weight] : weights) json.set(std::to_string(number), weight);
  return json;
}

}  // namespace causeway
