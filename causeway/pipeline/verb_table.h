#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// What a parameter may hold.
enum class ParameterKind {
  Text,           ///< any text that is not empty
  Column,         ///< one column's name
  Columns,        ///< a list of different columns' names, at least one
  ColumnsOrNone,  ///< the same, which may be empty
  Word,           ///< one of `choices`
  Words,          ///< a list of different ones of `choices`, at least one
  Flag,           ///< true or false
  Share,          ///< a fraction from `lowest` to `highest` with at most 6 decimals
  Whole,          ///< a whole number from `lowest` to `highest`
  Real,           ///< a number from `lowest` to `highest`
  FillValue,      ///< one of `choices`, or {"constant": a number, text or boolean}
  Schema,         ///< the columns of `declare`
};

struct Parameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::Text;
  /// The default as JSON; nullptr where it must be stated, "" where leaving it out is a value of its own.
  const char* fallback = nullptr;
  std::string_view meaning = {};
  std::span<const std::string_view> choices = {};
  double lowest = 0, highest = 0;
};

/// One verb: everything the JSON reader, the C++ builder and docs/pipeline.md know of it.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a row of a table reads from the verb on
struct VerbRow {
  std::string_view verb;
  Role role = Role::Change;
  std::string_view summary;
  std::span<const Parameter> parameters;
  std::unique_ptr<Step> (*make)(StepDeclared declared) = nullptr;
  /// Whether other parameters are kept as they are: somebody else reads them.
  bool open = false;
};

/// Every verb there is, readers first.
std::span<const VerbRow> verbs();
const VerbRow* find_verb(std::string_view verb);

/// Why no verb of that name can be used, with the nearest word or the way out.
std::string unknown_verb(std::string_view verb);

/// docs/pipeline.md's part on verbs, made from the table.
std::string verb_pages();

}  // namespace causeway::pipeline
