#include "causeway/pipeline/known_columns.h"

#include <algorithm>
#include <iterator>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

KnownColumn* KnownColumns::find(std::string_view name) {
  const auto found =
      std::ranges::find_if(columns_, [&](const KnownColumn& column) { return column.name == name && !column.one_hot; });
  return found == columns_.end() ? nullptr : &*found;
}

KnownColumn* KnownColumns::named(const Json& name, StepFaults& faults) {
  if (KnownColumn* found = find(name.text())) {
    if (!found->id) return found;
    faults.add(name, quoted(name.text()) + " is an id: it names the row and is never changed.");
    return nullptr;
  }
  std::string what = "There is no column " + quoted(name.text()) + " here.";
  std::vector<std::string_view> names;
  for (const KnownColumn& column : columns_) {
    if (column.one_hot && name.text().starts_with(column.name + "_")) {
      faults.add(name, what + " The columns made of " + quoted(column.name) +
                           " are noughts and ones whose names only the fit knows, and no step changes them.");
      return nullptr;
    }
    if (!column.one_hot) names.push_back(column.name);
  }
  if (const std::string nearest = nearest_word(name.text(), names); !nearest.empty()) {
    what += " The nearest is " + quoted(nearest) + ".";
  }
  faults.add(name, std::move(what));
  return nullptr;
}

bool KnownColumns::is_target(std::string_view name) const { return std::ranges::find(targets, name) != targets.end(); }

bool KnownColumns::refuse_target(const KnownColumn& column, const Json& at, StepFaults& faults) const {
  if (!is_target(column.name)) return false;
  faults.add(at, quoted(column.name) + " is the target, which only 'normalize' may change.");
  return true;
}

void KnownColumns::add_after(std::string_view name, KnownColumn made, const Json& at, StepFaults& faults) {
  if (find(made.name) != nullptr) {
    faults.add(at, "The step makes a column " + quoted(made.name) + ", and there is one of that name.");
    return;
  }
  const auto after = std::ranges::find(columns_, name, &KnownColumn::name);
  columns_.insert(after == columns_.end() ? after : std::next(after), std::move(made));
}

}  // namespace causeway::pipeline
