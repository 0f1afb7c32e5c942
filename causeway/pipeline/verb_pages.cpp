#include "causeway/pipeline/verb_table.h"

namespace causeway::pipeline {
namespace {

std::string choices_of(const Parameter& parameter) {
  std::string text;
  for (const std::string_view choice : parameter.choices) {
    text += (text.empty() ? "`" : ", `") + std::string(choice) + "`";
  }
  return text;
}

std::string number_text(double number) { return number == 9007199254740991.0 ? "2^53 − 1" : text_of(number); }

std::string range_of(const Parameter& parameter) {
  return number_text(parameter.lowest) + " to " + number_text(parameter.highest);
}

/// What may stand there, in words.
std::string holds(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::Text:
      return "text";
    case ParameterKind::Column:
      return "a column's name";
    case ParameterKind::Columns:
      return "a list of columns' names";
    case ParameterKind::ColumnsOrNone:
      return "a list of columns' names, which may be empty";
    case ParameterKind::Word:
      return choices_of(parameter);
    case ParameterKind::Words:
      return "a list of " + choices_of(parameter);
    case ParameterKind::Flag:
      return "`true` or `false`";
    case ParameterKind::Share:
      return "a fraction from " + range_of(parameter) + ", at most 6 decimals";
    case ParameterKind::Whole:
      return "a whole number from " + range_of(parameter);
    case ParameterKind::Real:
      return "a number from " + range_of(parameter);
    case ParameterKind::FillValue:
      return choices_of(parameter) + R"( or `{"constant": v}`)";
    case ParameterKind::Schema:
      return "a list of columns, see above";
  }
  return "";
}

std::string fallback_of(const Parameter& parameter) {
  if (parameter.fallback == nullptr) return "must be stated";
  const std::string_view fallback = parameter.fallback;
  return fallback.empty() ? "none" : "`" + std::string(fallback) + "`";
}

}  // namespace

std::string verb_pages() {
  std::string text;
  for (const VerbRow& row : verbs()) {
    text += "### `" + std::string(row.verb) + "`\n\n" + std::string(row.summary) + "\n\n";
    if (row.parameters.empty()) continue;
    text += "| parameter | holds | default | meaning |\n|---|---|---|---|\n";
    for (const Parameter& parameter : row.parameters) {
      text += "| `" + std::string(parameter.name) + "` | " + holds(parameter) + " | " + fallback_of(parameter) + " | " +
              std::string(parameter.meaning) + " |\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace causeway::pipeline
