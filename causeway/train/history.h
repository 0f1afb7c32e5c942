#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "causeway/base/json.h"

namespace causeway {

struct EpochRecord {
  int epoch = 0;  ///< From 1.
  /// The mean of the batches' losses before each step, by rows.
  double loss = 0;
  std::optional<double> validation_loss;
  /// In force at the epoch's first step.
  double learning_rate = 0;

  friend bool operator==(const EpochRecord&, const EpochRecord&) = default;
};

enum class Stopping { AllEpochsRan, NoLongerImproving };

struct History {
  uint64_t seed = 0;
  std::vector<EpochRecord> epochs;
  /// The best judged epoch, or without early stopping the first of the smallest validation losses; none without
  /// validation.
  std::optional<int> best_epoch;
  Stopping stopping = Stopping::AllEpochsRan;

  friend bool operator==(const History&, const History&) = default;
};

std::string_view name_of(Stopping stopping);
/// {seed, epochs: [{epoch, loss, validation_loss, learning_rate}], best_epoch, stopping}.
Json to_json(const History& history);
/// Refused where it is no such object.
History history_from_json(const Json& json);

}  // namespace causeway
