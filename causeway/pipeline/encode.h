#pragma once

#include <memory>
#include <string>
#include <vector>

#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// `encode.categories`: every category column becomes numbers, by the categories the training rows hold.
class EncodeCategories : public ChangeStep {
 public:
  explicit EncodeCategories(StepDeclared declared);

  void check(KnownColumns& columns, StepFaults& faults) const override;
  std::unique_ptr<const Fitted> fit(const Table& rows, size_t training, StepFaults& faults,
                                    std::vector<std::string>& notes) const override;
  std::unique_ptr<const Fitted> recall(const Json& learned, const Table& rows, StepFaults& faults) const override;
  bool has_a_feature_for_gaps() const override { return reserve_; }

 private:
  bool onehot_ = true, reserve_ = true;
  size_t at_most_ = 0;
};

}  // namespace causeway::pipeline
