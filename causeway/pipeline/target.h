#pragma once

#include <string>
#include <vector>

#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// What the network shall answer: the columns whose numbers are the answers, and which are no features.
class TargetStep : public Step {
 public:
  using Step::Step;

  void check(KnownColumns& columns, StepFaults& faults) const override;

  std::vector<std::string> columns() const { return {declared().text("column")}; }
};

/// `features`: the order of the features, and whether they must be bounded by declaration.
class FeaturesStep : public Step {
 public:
  using Step::Step;

  void check(KnownColumns& columns, StepFaults& faults) const override;

  bool takes_any() const { return declared().text("takes") == "any"; }
  /// Where each of `made` shall go: the places of the stated names. Empty where no order is stated. Refused: a name
  /// too few, too many or unknown; the fault prints the order that is there.
  std::vector<size_t> order(const std::vector<std::string>& made) const;
};

/// A step that is kept for others: what `learn.*` and `evidence.*` ask is done where networks are known.
class KeptStep : public Step {
 public:
  using Step::Step;

  void check(KnownColumns& columns, StepFaults& faults) const override;
};

}  // namespace causeway::pipeline
