#pragma once

#include <memory>
#include <string>
#include <vector>

#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// `normalize`: columns are moved and divided, by what the training rows say.
class Normalize : public ChangeStep {
 public:
  enum class Scale { Midrange, MinMax, Standard };
  enum class OutOfRange { Pass, Clip, Refuse };

  explicit Normalize(StepDeclared declared);

  void check(KnownColumns& columns, StepFaults& faults) const override;
  std::unique_ptr<const Fitted> fit(const Table& rows, size_t training, StepFaults& faults,
                                    std::vector<std::string>& notes) const override;
  std::unique_ptr<const Fitted> recall(const Json& learned, const Table& rows, StepFaults& faults) const override;

 private:
  Scale scale_ = Scale::Midrange;
  OutOfRange out_of_range_ = OutOfRange::Pass;
  std::vector<std::string> columns_;
};

}  // namespace causeway::pipeline
