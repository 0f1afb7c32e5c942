#pragma once

#include <map>
#include <optional>
#include <string>

#include "causeway/base/json.h"
#include "causeway/nn/saved_network.h"
#include "causeway/train/fit.h"

namespace causeway::train {

/// Where a run stands between two epochs, beside its slots.
struct RunState {
  int epochs_done = 0;
  int64_t steps = 0, batches = 0;
  History history;
  Judge::State judgement;
  /// Where the schedule is one that has a state.
  std::optional<Plateau::State> plateau = std::nullopt;
  /// Every slot of the best judged epoch, where it is to be restored.
  std::map<std::string, Tensor, std::less<>> best;
};

/// What a run goes by: a resume must find the very same. `rows` and `validation` are fingerprints.
Json pace_of(const SavedNetwork& saved, const Optimizer& optimizer, const FitOptions& options, bool sample_weight,
             const std::string& rows, const std::string& validation);

/// Writes the network, the optimizer's memory (the slots of `step` that begin with @memory/) and the run's state.
void write_checkpoint(const std::string& path, const SavedNetwork& saved, const Slots& step, const RunState& state,
                      const Json& pace);

/// Puts a checkpoint's numbers into the network and the optimizer's memory, and gives the run's state.
/// Refused, all at once, with nothing changed: another pace, other slots, a run that had stopped, `epochs` not above
/// those done.
RunState resume(const std::string& path, SavedNetwork& saved, Slots& step, const Json& pace, int epochs);

}  // namespace causeway::train
