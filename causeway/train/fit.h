#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "causeway/answer/engines.h"
#include "causeway/nn/saved_network.h"
#include "causeway/train/early_stopping.h"
#include "causeway/train/examples.h"
#include "causeway/train/history.h"
#include "causeway/train/optimizer_list.h"
#include "causeway/train/step.h"

namespace causeway {

/// Where a run is, for callbacks.
struct StepReport {
  int epoch = 0;  ///< From 1.
  int64_t batch = 0, batches = 0;
  double loss = 0, norm = 0;
};

struct CheckpointOptions {
  std::string file;
  /// Only after an epoch that was better than all before.
  bool best_only = false;
};

/// Thrown when the stop token asks: the network stays as the last step left it, the last checkpoint stands.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("the training was stopped on request.") {}
};

struct FitOptions {
  /// 0 … 2^53 - 1; every order and draw follows from it.
  uint64_t seed = 0;
  int epochs = 1;
  int64_t batch_size = 32;
  bool shuffle = true;
  /// The last rows' share, taken before any shuffling.
  std::optional<double> validation_share = std::nullopt;
  std::optional<Examples> validation = std::nullopt;
  std::optional<EarlyStopping> early_stopping = std::nullopt;
  std::optional<double> clip_norm = std::nullopt, clip_value = std::nullopt;
  /// Batches whose gradients make one step.
  int accumulate = 1;
  std::map<int64_t, double> class_weight = {};
  std::vector<ParameterGroup> groups = {};
  std::optional<CheckpointOptions> checkpoint = std::nullopt;
  /// A checkpoint to go on from; "" for none.
  std::string resume = {};
  std::function<void(const StepReport&)> on_step = {};
  std::function<void(const EpochRecord&)> on_epoch = {};
  std::stop_token stop = {};
  const Engine* engine = nullptr;  ///< cpu() where it is null.
  int threads = 1;
};

/// Trains a network further on rows, in place. The same network, rows, options, engine and machine give the same bits at
/// any thread count, and a run resumed from a checkpoint those of one never stopped.
///
/// Refused    before the first batch, all at once: rows that do not fit (train::Rows), no slot that learns, options that
///            make no sense, early stopping without validation, what a resume finds different. While it runs: a loss or
///            gradient norm that is not finite, with epoch and batch; the network keeps what the last step gave it.
/// Throws     Cancelled, between batches.
History fit(SavedNetwork& saved, const Examples& rows, const Optimizer& optimizer, const FitOptions& options = {});

/// The same for a network of one input and one output.
History fit(SavedNetwork& saved, const Tensor& x, const Tensor& answers, const Optimizer& optimizer,
            const FitOptions& options = {});

}  // namespace causeway
