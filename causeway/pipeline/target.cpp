#include "causeway/pipeline/target.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/parameters.h"

namespace causeway::pipeline {

void TargetStep::check(KnownColumns& columns, StepFaults& faults) const {
  const Json& name = declared().at("column");
  KnownColumn* column = columns.named(name, faults);
  if (column == nullptr) return;
  if (!holds_numbers(column->kind)) {
    faults.add(name, quoted(name.text()) + " is of kind " + std::string(word_of(column->kind)) +
                         ", and a number, an integer or a boolean is a target.");
    return;
  }
  column->target = true;
}

void FeaturesStep::check(KnownColumns& columns, StepFaults& faults) const {
  const Json* order = declared().parameters.find("order");
  if (order == nullptr) return;
  for (const Json& name : order->items()) {
    if (columns.is_target(name.text())) faults.add(name, quoted(name.text()) + " is the target, which is no feature.");
  }
}

std::vector<size_t> FeaturesStep::order(const std::vector<std::string>& made) const {
  const Json* stated = declared().parameters.find("order");
  if (stated == nullptr) return {};
  std::vector<size_t> places;
  std::vector<Fault> found;
  StepFaults faults(declared(), found);
  std::vector<bool> taken(made.size(), false);
  for (const Json& name : stated->items()) {
    const auto at = std::ranges::find(made, name.text());
    if (at == made.end()) {
      faults.add(name, "There is no feature " + quoted(name.text()) + "." +
                           nearest_of(name.text(), std::vector<std::string_view>(made.begin(), made.end())));
      continue;
    }
    places.push_back(static_cast<size_t>(at - made.begin()));
    taken[places.back()] = true;
  }
  for (size_t i = 0; i < made.size(); ++i) {
    if (!taken[i]) faults.add(*stated, "The feature " + quoted(made[i]) + " is not listed, and every one is to be.");
  }
  if (!found.empty()) {
    Json names = Json::Array();
    for (const std::string& name : made) names.push(name);
    faults.add(*stated, "The features are, in the order they were made: " + escaped(names.dump()) + ".");
  }
  refuse_if_any(std::move(found));
  return places;
}

void KeptStep::check(KnownColumns&, StepFaults& faults) const {
  if (const Json* input = declared().parameters.find("input"); input != nullptr && role() == Role::Learn) {
    faults.add(*input, "'input' is said by the rows. Leave it out.");
  }
}

}  // namespace causeway::pipeline
