#include "causeway/formats/keras/rules.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/quoted.h"

namespace causeway::formats::keras {
namespace {

// A rule is a word, or {class_name, config}; a function of the author's is code.
std::string class_of(const Json& rule) {
  if (rule.is_text()) return rule.text();
  const Json* name = rule.find("class_name");
  return name != nullptr && name->is_text() ? name->text() : std::string();
}

const Json& config_of(const Json& rule) {
  static const Json kNone{Json::Object{}};
  const Json* config = rule.find("config");
  return config != nullptr && config->is_object() ? *config : kNone;
}

bool is_foreign(const Json& rule) {
  const Json* module = rule.find("module");
  return module != nullptr && module->is_text() && module->text().rfind("keras", 0) != 0;
}

}  // namespace

Penalty read_penalty(Words& words, const std::string& key) {
  const Json* rule = words.find(key);
  if (rule == nullptr) return {};
  const auto refuse = [&](const std::string& what) { words.refuse("'" + key + "' is " + shown(*rule) + what); };
  const std::string name = class_of(*rule);
  if (is_foreign(*rule) || name == "function" || name.empty()) {
    refuse(", which holds code, and a file is data.");
    return {};
  }
  Words settings(config_of(*rule), [&](std::string what) { words.refuse("'" + key + "': " + what); });
  Penalty penalty;
  if (name == "L1" || name == "l1") {
    penalty.l1 = settings.real("l1", 0.01f);
  } else if (name == "L2" || name == "l2") {
    penalty.l2 = settings.real("l2", 0.01f);
  } else if (name == "L1L2" || name == "l1_l2") {
    // As a word Keras takes 0.01 of each; as an object, what it says.
    const float otherwise = rule->is_text() ? 0.01f : 0.0f;
    penalty.l1 = settings.real("l1", otherwise);
    penalty.l2 = settings.real("l2", otherwise);
  } else {
    refuse(", and only L1, L2 and L1L2 are read.");
    return {};
  }
  settings.finish();
  if (penalty.l1 < 0 || penalty.l2 < 0) refuse(", and a penalty of at least 0 is read.");
  return penalty;
}

nn::MaxNorm read_max_norm(Words& words, const std::string& key, const std::vector<int64_t>& unit_axes, size_t rank) {
  const Json* rule = words.find(key);
  if (rule == nullptr) return {};
  const auto refuse = [&](const std::string& what) { words.refuse("'" + key + "' is " + shown(*rule) + what); };
  const std::string name = class_of(*rule);
  if (is_foreign(*rule) || (name != "MaxNorm" && name != "max_norm")) {
    refuse(", and only MaxNorm is read.");
    return {};
  }
  Words settings(config_of(*rule), [&](std::string what) { words.refuse("'" + key + "': " + what); });
  const float limit = settings.real("max_value", 2.0f);
  std::vector<int64_t> axes = settings.integers("axis", {0});
  settings.finish();
  for (int64_t& axis : axes) axis += axis < 0 ? static_cast<int64_t>(rank) : 0;
  std::sort(axes.begin(), axes.end());
  if (axes != unit_axes || unit_axes.empty()) {
    std::string expected;
    for (const int64_t axis : unit_axes) expected += (expected.empty() ? "" : ", ") + std::to_string(axis);
    refuse(", and a bound along the axes of one unit's numbers, [" + expected + "], is read.");
    return {};
  }
  if (!(limit > 0)) {
    refuse(", and a bound above 0 is read.");
    return {};
  }
  return {limit};
}

}  // namespace causeway::formats::keras
