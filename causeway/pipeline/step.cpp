#include "causeway/pipeline/step.h"

#include "causeway/base/check.h"
#include "causeway/pipeline/verb_table.h"

namespace causeway::pipeline {

std::string StepDeclared::where(const Json* at) const {
  std::string text = "step " + std::to_string(number) + " (" + std::string(verb->verb) + ")";
  const Json& placed = at != nullptr && at->line() > 0 ? *at : parameters;
  return placed.line() > 0 ? text + ", " + placed.place() : text;
}

const Json& StepDeclared::at(std::string_view parameter) const {
  const Json* found = parameters.find(parameter);
  CAUSEWAY_CHECK(found != nullptr, "a step asks for parameters that its row of the verb table has");
  return *found;
}

std::vector<std::string> StepDeclared::texts(std::string_view parameter) const {
  std::vector<std::string> made;
  for (const Json& item : at(parameter).items()) made.push_back(item.text());
  return made;
}

Role Step::role() const { return verb().role; }

}  // namespace causeway::pipeline
