#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "causeway/formats/keras/keras_file.h"
#include "causeway/formats/keras/model_plan.h"
#include "causeway/nn/loss.h"

namespace causeway::formats::keras {

/// The loss of one output as the file says it.
struct OutputLoss {
  std::string output;
  Loss loss;
  std::optional<bool> from_logits = std::nullopt;  ///< None where the loss has no activation to ask about.
};

/// The losses a model was compiled with: one word or object, a list in the order of the outputs, or an object by their
/// names. None where it was never compiled. What is said of the outputs `others` is passed over.
std::vector<OutputLoss> read_losses(const KerasFile& file, const ModelPlan& plan, const std::set<std::string>& others,
                                    std::vector<Fault>& faults, std::vector<std::string>& notes);

}  // namespace causeway::formats::keras
