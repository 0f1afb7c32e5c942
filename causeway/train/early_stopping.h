#pragma once

#include <optional>

#include "causeway/nn/setting_words.h"

namespace causeway {

/// When to stop for want of a better validation loss, as Keras: patience 0 and 1 are the same.
struct EarlyStopping {
  int patience = 0;
  double min_delta = 0;
  /// Puts every slot of the best judged epoch back at the end, whether or not the run stopped early.
  bool restore_best = false;
  /// Epochs before it (from 0) are not judged.
  int start_from_epoch = 0;

  static void settings(auto&& each) {
    each("patience", &EarlyStopping::patience);
    each("min_delta", &EarlyStopping::min_delta);
    each("restore_best", &EarlyStopping::restore_best);
    each("start_from_epoch", &EarlyStopping::start_from_epoch);
  }
  friend bool operator==(const EarlyStopping&, const EarlyStopping&) = default;
};

namespace train {

/// Judges epoch by epoch.
class Judge {
 public:
  struct State {
    std::optional<double> best;
    std::optional<int> best_epoch;  ///< From 1.
    int wait = 0;
    bool stopped = false;
  };

  explicit Judge(const EarlyStopping& rules) : rules_(rules) {}
  /// Goes on from where another stood.
  Judge(const EarlyStopping& rules, State state) : rules_(rules), state_(state) {}

  /// Looks at an epoch (from 0); gives whether it is the best so far.
  bool sees(int epoch, double validation_loss);
  const State& state() const { return state_; }

 private:
  EarlyStopping rules_;
  State state_;
};

}  // namespace train
}  // namespace causeway
