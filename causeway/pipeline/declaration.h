#pragma once

#include <memory>
#include <string>
#include <vector>

#include "causeway/pipeline/declare.h"
#include "causeway/pipeline/read_step.h"
#include "causeway/pipeline/split.h"
#include "causeway/pipeline/target.h"

namespace causeway::pipeline {

/// The steps of a pipeline, read and checked.
class Declaration {
 public:
  /// Reads {"pipeline": 1, "steps": […]}; further keys of the document are named in `others`. Refused: every fault that
  /// can be known before a row is read, each at its step and place. `where` names the document in front of a place
  /// outside the steps.
  static Declaration read(const Json& document, const std::string& where,
                          std::initializer_list<std::string_view> others);

  const std::vector<std::unique_ptr<const Step>>& steps() const { return steps_; }
  const ReadStep& read() const { return *find<ReadStep>(); }
  const DeclareStep& declare() const { return *find<DeclareStep>(); }
  /// These are null where there is no such step.
  const SplitStep* split() const { return find<SplitStep>(); }
  const TargetStep* target() const { return find<TargetStep>(); }
  const FeaturesStep* features() const { return find<FeaturesStep>(); }
  const Step* learn() const;

  std::vector<std::string> targets() const {
    return target() == nullptr ? std::vector<std::string>() : target()->columns();
  }

  /// The steps as JSON, every parameter written out.
  Json steps_json() const;
  /// Without those that read, judge and learn: what prepares rows.
  std::vector<const Step*> preparation() const;

 private:
  template <class Kind>
  const Kind* find() const {
    for (const auto& step : steps_) {
      if (const auto* found = dynamic_cast<const Kind*>(step.get())) return found;
    }
    return nullptr;
  }

  std::vector<std::unique_ptr<const Step>> steps_;
};

/// A step as JSON: its verb and every parameter.
Json step_json(const Step& step);

/// Where steps of each role may stand (docs/pipeline.md, "Order"). `steps` are those whose verb is known; a null one's
/// parameters did not fit.
void check_order(const std::vector<StepDeclared>& declared, const std::vector<std::unique_ptr<const Step>>& steps,
                 std::vector<Fault>& faults);

}  // namespace causeway::pipeline
