#pragma once

#include <memory>
#include <string>

#include "causeway/pipeline/source.h"
#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// Where the rows come from.
class ReadStep : public Step {
 public:
  using Step::Step;

  void check(KnownColumns&, StepFaults&) const override {}
  /// Opens the source; paths are taken from `folder`. Refused where it cannot be opened. `stated_in` names the
  /// declaration's file in a fault; "" where it is none.
  virtual std::unique_ptr<Source> open(const std::string& folder, const std::string& stated_in) const = 0;
};

/// `read.csv`.
class ReadCsv : public ReadStep {
 public:
  using ReadStep::ReadStep;
  std::unique_ptr<Source> open(const std::string& folder, const std::string& stated_in) const override;
};

/// `read.rows`: rows are handed over in code, so there is nothing to open.
class ReadRows : public ReadStep {
 public:
  using ReadStep::ReadStep;
  std::unique_ptr<Source> open(const std::string& folder, const std::string& stated_in) const override;
};

}  // namespace causeway::pipeline
