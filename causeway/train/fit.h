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
#include "causeway/train/schedules.h"
#include "causeway/train/step.h"

namespace causeway {

/// An optimizer step that was just taken, for callbacks.
struct StepReport {
  int epoch = 0;  ///< From 1.
  /// The last batch the step was taken on, from 1, and how many the epoch has.
  int64_t batch = 0, batches = 0;
  /// The mean loss of its rows before the step, and the norm of their gradients before a clip.
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

inline constexpr int kMostEpochs = 1'000'000;

struct FitOptions {
  /// 0 … 2^53 - 1; every order and draw follows from it.
  uint64_t seed = 0;
  int epochs = 1;  ///< At most kMostEpochs.
  int64_t batch_size = 32;
  bool shuffle = true;
  /// The last rows' share, taken before any shuffling.
  std::optional<double> validation_share = std::nullopt;
  std::optional<Examples> validation = std::nullopt;
  /// How the optimizer's rate, and each group's in proportion, moves.
  Schedule schedule = {};
  std::optional<EarlyStopping> early_stopping = std::nullopt;
  /// Bounds on the norm of all gradients, and before that on each entry.
  std::optional<double> clip_norm = std::nullopt, clip_value = std::nullopt;
  /// Batches whose gradients make one step, as one batch of all their rows would.
  int accumulate = 1;
  ClassWeights class_weight = {};
  std::vector<ParameterGroup> groups = {};
  std::optional<CheckpointOptions> checkpoint = std::nullopt;
  /// A checkpoint to go on from; "" for none.
  std::string resume = {};
  /// After each optimizer step, and the bounds on slots.
  std::function<void(const StepReport&)> on_step = {};
  /// After each epoch, its checkpoint written.
  std::function<void(const EpochRecord&)> on_epoch = {};
  std::stop_token stop = {};
  const Engine* engine = nullptr;  ///< cpu() where it is null.
  int threads = 1;

  /// Those that a declaration states, and a checkpoint keeps, by name.
  static void settings(auto&& each) {
    each("seed", &FitOptions::seed, nn::Need::Required);
    each("epochs", &FitOptions::epochs);
    each("batch_size", &FitOptions::batch_size);
    each("accumulate", &FitOptions::accumulate);
    each("shuffle", &FitOptions::shuffle);
    each("early_stopping", &FitOptions::early_stopping);
    each("clip_norm", &FitOptions::clip_norm);
    each("clip_value", &FitOptions::clip_value);
    each("class_weight", &FitOptions::class_weight);
    each("threads", &FitOptions::threads);
  }
};

/// Trains a network further on rows, in place. The same network, rows, options, engine and machine give the same bits at
/// any thread count, and a run resumed from a checkpoint those of one never stopped.
///
/// Refused    before the first batch, all at once: rows that do not fit (train::Rows), no slot that learns, options,
///            schedules and optimizers that make no sense, early stopping without validation, a batch of one row in front
///            of a batch normalization; then, all at once, what a resume finds different. While it runs: a loss or
///            gradient norm that is not finite, with epoch and batch; the network keeps what the last step gave it.
/// Throws     Cancelled, between batches.
History fit(SavedNetwork& saved, const Examples& rows, const Optimizer& optimizer, const FitOptions& options = {});

/// The same for a network of one input and one output.
History fit(SavedNetwork& saved, const Tensor& x, const Tensor& answers, const Optimizer& optimizer,
            const FitOptions& options = {});

}  // namespace causeway
