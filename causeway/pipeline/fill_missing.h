#pragma once

#include <memory>
#include <string>
#include <vector>

#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// `fill.missing`: gaps become a value, learned from the training rows or stated, and a mark says where they were.
class FillMissing : public ChangeStep {
 public:
  explicit FillMissing(StepDeclared declared);

  bool learns() const override;
  void check(KnownColumns& columns, StepFaults& faults) const override;
  std::unique_ptr<const Fitted> fit(const Table& rows, size_t training, StepFaults& faults,
                                    std::vector<std::string>& notes) const override;
  std::unique_ptr<const Fitted> recall(const Json& learned, const Table& rows, StepFaults& faults) const override;

 private:
  enum class With { Mean, Median, Zero, MostFrequent, Previous, Constant };

  bool takes(const KnownColumn& column, const Json& at, StepFaults& faults) const;
  Json value_for(const Column& column, size_t training, StepFaults& faults) const;

  With with_ = With::Mean;
  Json constant_;
  bool mark_ = true;
  double refuse_above_ = 1;
  std::vector<std::string> columns_;
};

}  // namespace causeway::pipeline
