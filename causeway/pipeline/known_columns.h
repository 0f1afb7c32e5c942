#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/pipeline/kind.h"

namespace causeway::pipeline {

class StepFaults;

/// What is known of a column before a row is read.
struct KnownColumn {
  std::string name;
  Kind kind = Kind::Number;
  bool gaps = false;     ///< may hold them
  bool bounded = false;  ///< lies in a range that the declaration states
  bool id = false, target = false;
  /// Stands for the columns that the categories of `name` will make, whose names only the fit knows.
  bool one_hot = false;
  Json place = {};  ///< where the declaration names it, for faults
};

/// The columns as they are at one step, followed from `declare` on.
class KnownColumns {
 public:
  std::vector<KnownColumn>& all() { return columns_; }
  const std::vector<KnownColumn>& all() const { return columns_; }

  KnownColumn* find(std::string_view name);
  /// The column that a step names; null, and a fault, where there is none of that name or it is an id.
  KnownColumn* named(const Json& name, StepFaults& faults);
  /// The target is named where only features may be; a fault then.
  bool refuse_target(const KnownColumn& column, const Json& at, StepFaults& faults) const;
  /// Adds a column directly after another; a fault where the name is taken.
  void add_after(std::string_view name, KnownColumn made, const Json& at, StepFaults& faults);

  /// The names the target verb states, wherever it stands.
  std::vector<std::string> targets;
  bool is_target(std::string_view name) const;

 private:
  std::vector<KnownColumn> columns_;
};

}  // namespace causeway::pipeline
