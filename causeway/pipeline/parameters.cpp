#include "causeway/pipeline/parameters.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/declare.h"
#include "causeway/pipeline/verb_table.h"

namespace causeway::pipeline {
namespace {

std::string list_of(std::span<const std::string_view> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

/// Reads one parameter's value; every fault names the parameter.
class ValueReader {
 public:
  ValueReader(const Parameter& parameter, StepFaults& faults) : parameter_(parameter), faults_(faults) {}

  Json read(const Json& value) {
    switch (parameter_.kind) {
      case ParameterKind::Text:
      case ParameterKind::Column:
        return name(value);
      case ParameterKind::Columns:
      case ParameterKind::ColumnsOrNone:
        return names(value);
      case ParameterKind::Word:
        return word(value);
      case ParameterKind::Words:
        return words(value);
      case ParameterKind::Flag:
        return flag(value);
      case ParameterKind::Share:
      case ParameterKind::Real:
        return number(value);
      case ParameterKind::Whole:
        return whole(value);
      case ParameterKind::FillValue:
        return fill_value(value);
      case ParameterKind::Schema:
        return read_schema(value, faults_);
    }
    return value;
  }

 private:
  void wants(const Json& value, const std::string& what) {
    faults_.add(value,
                quoted(parameter_.name) + " is " + std::string(value.kind_name()) + ", and " + what + " is read.");
  }

  Json name(const Json& value) {
    if (!value.is_text()) {
      wants(value, "a text");
    } else if (value.text().empty()) {
      faults_.add(value, quoted(parameter_.name) + " is an empty text.");
    }
    return value;
  }

  Json names(const Json& value) {
    if (!value.is_array()) {
      wants(value, "a list of columns' names");
      return value;
    }
    if (value.items().empty() && parameter_.kind == ParameterKind::Columns) {
      faults_.add(value, quoted(parameter_.name) + " is an empty list.");
    }
    distinct(value, "a column's name");
    return value;
  }

  void distinct(const Json& value, const std::string& of_what) {
    std::set<std::string_view> seen;
    for (const Json& item : value.items()) {
      if (!item.is_text()) {
        faults_.add(item, quoted(parameter_.name) + " holds " + std::string(item.kind_name()) + ", and " + of_what +
                              " is read.");
      } else if (!seen.insert(item.text()).second) {
        faults_.add(item, quoted(item.text()) + " stands twice in " + quoted(parameter_.name) + ".");
      }
    }
  }

  bool known(const Json& word) {
    if (std::ranges::find(parameter_.choices, word.text()) != parameter_.choices.end()) return true;
    faults_.add(word, quoted(word.text()) + " is no word for " + quoted(parameter_.name) + "." +
                          nearest_of(word.text(), parameter_.choices));
    return false;
  }

  Json word(const Json& value) {
    if (!value.is_text()) {
      wants(value, "one of " + list_of(parameter_.choices));
    } else {
      known(value);
    }
    return value;
  }

  Json words(const Json& value) {
    if (!value.is_array()) {
      wants(value, "a list of " + list_of(parameter_.choices));
      return value;
    }
    if (value.items().empty()) faults_.add(value, quoted(parameter_.name) + " is an empty list.");
    distinct(value, "a word");
    for (const Json& item : value.items()) {
      if (item.is_text()) known(item);
    }
    return value;
  }

  Json flag(const Json& value) {
    if (!value.is_bool()) wants(value, "true or false");
    return value;
  }

  void in_range(const Json& value) {
    if (value.number() >= parameter_.lowest && value.number() <= parameter_.highest) return;
    faults_.add(value, quoted(parameter_.name) + " is " + text_of(value.number()) + ", and " +
                           text_of(parameter_.lowest) + " to " + text_of(parameter_.highest) + " is read.");
  }

  Json number(const Json& value) {
    if (!value.is_number()) {
      wants(value, "a number");
      return value;
    }
    in_range(value);
    const double share = value.number();
    if (parameter_.kind == ParameterKind::Share && std::abs(share) <= 1 &&
        static_cast<double>(std::llround(share * 1e6)) / 1e6 != share) {
      faults_.add(value, quoted(parameter_.name) + " is " + text_of(share) + ", and at most 6 decimals are read.");
    }
    return value;
  }

  Json whole(const Json& value) {
    if (!value.is_integer()) {
      wants(value, "a whole number");
    } else {
      in_range(value);
    }
    return value;
  }

  Json fill_value(const Json& value) {
    if (value.is_text()) {
      known(value);
      return value;
    }
    const Json* constant = value.find("constant");
    const bool finite = constant == nullptr || !constant->is_number() || std::isfinite(constant->number());
    if (constant == nullptr || !finite || value.members().size() != 1 ||
        !(constant->is_number() || constant->is_text() || constant->is_bool())) {
      wants(value, R"(one of )" + list_of(parameter_.choices) + R"( or {"constant": a number, a text or a boolean})");
    }
    return value;
  }

  const Parameter& parameter_;
  StepFaults& faults_;
};

Json default_of(const Parameter& parameter) {
  return parse_json(parameter.fallback, "the default of " + std::string(parameter.name));
}

}  // namespace

std::string nearest_of(std::string_view word, std::span<const std::string_view> known) {
  const std::string nearest = nearest_word(word, {known.begin(), known.end()});
  if (!nearest.empty()) return " Did you mean " + quoted(nearest) + "?";
  return known.empty() ? "" : " Known are " + list_of(known) + ".";
}

bool read_parameters(const Json& step, StepDeclared& declared, std::vector<Fault>& faults) {
  const size_t found_before = faults.size();
  StepFaults here(declared, faults);
  const std::span<const Parameter> parameters = declared.verb->parameters;

  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  for (const auto& [key, value] : step.members()) {
    if (key == "verb" || declared.verb->open || std::ranges::find(names, key) != names.end()) continue;
    here.add(value, "There is no parameter " + quoted(key) + " of this verb." + nearest_of(key, names));
  }
  for (const Parameter& parameter : parameters) {
    if (const Json* value = step.find(parameter.name)) {
      declared.parameters.set(parameter.name, ValueReader(parameter, here).read(*value));
    } else if (parameter.fallback == nullptr) {
      here.add("The parameter " + quoted(parameter.name) + " is missing: " + std::string(parameter.meaning) + ".");
    } else if (parameter.fallback[0] != '\0') {
      declared.parameters.set(parameter.name, default_of(parameter));
    }
  }
  if (declared.verb->open) {
    for (const auto& [key, value] : step.members()) {
      if (key != "verb") declared.parameters.set(key, value);
    }
  }
  return faults.size() == found_before;
}

}  // namespace causeway::pipeline
