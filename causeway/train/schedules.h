#pragma once

#include <optional>
#include <vector>

#include "causeway/train/schedule.h"

namespace causeway {

// In what follows r is the optimizer's own rate and e the epoch, or the step, from 0.

/// r * factor^(e div every).
struct StepDecay {
  static constexpr std::string_view kName = "step_decay";
  int64_t every = 0;  ///< At least 1.
  double factor = 0.1;

  static void settings(auto&& each) {
    each("every", &StepDecay::every, nn::Need::Required);
    each("factor", &StepDecay::factor);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// r * factor^e.
struct ExponentialDecay {
  static constexpr std::string_view kName = "exponential_decay";
  double factor = 1;

  static void settings(auto&& each) { each("factor", &ExponentialDecay::factor, nn::Need::Required); }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// r * factors[the number of boundaries that are at most e]: one factor more than boundaries, which rise.
struct Piecewise {
  static constexpr std::string_view kName = "piecewise";
  std::vector<int64_t> boundaries = {};
  std::vector<double> factors = {};

  static void settings(auto&& each) {
    each("boundaries", &Piecewise::boundaries, nn::Need::Required);
    each("factors", &Piecewise::factors, nn::Need::Required);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// end + (r - end) * (1 - min(e, length) / length)^power.
struct PolynomialDecay {
  static constexpr std::string_view kName = "polynomial_decay";
  int64_t length = 0;  ///< At least 1.
  double end = 0, power = 1;

  static void settings(auto&& each) {
    each("length", &PolynomialDecay::length, nn::Need::Required);
    each("end", &PolynomialDecay::end);
    each("power", &PolynomialDecay::power);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// minimum + (r - minimum) * (1 + cos(pi * min(e, length) / length)) / 2: it stays down, as Keras's does and PyTorch's
/// does not.
struct CosineDecay {
  static constexpr std::string_view kName = "cosine_decay";
  int64_t length = 0;  ///< At least 1.
  double minimum = 0;

  static void settings(auto&& each) {
    each("length", &CosineDecay::length, nn::Need::Required);
    each("minimum", &CosineDecay::minimum);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// From r to 0 along a cosine, again and again, in cycles of length, length * factor, length * factor^2 ...
/// Loshchilov and Hutter 2016, https://arxiv.org/abs/1608.03983.
struct CosineRestarts {
  static constexpr std::string_view kName = "cosine_restarts";
  int64_t length = 0;  ///< At least 1.
  double factor = 1;   ///< At least 1.

  static void settings(auto&& each) {
    each("length", &CosineRestarts::length, nn::Need::Required);
    each("factor", &CosineRestarts::factor);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// r * (start + (1 - start) * e / length) before `length`, and `then` from there on, asked with e - length. `then` counts
/// what this one counts.
struct LinearWarmup {
  static constexpr std::string_view kName = "linear_warmup";
  int64_t length = 0;  ///< At least 1.
  double start = 1.0 / 3;
  Schedule then = {};

  static void settings(auto&& each) {
    each("length", &LinearWarmup::length, nn::Need::Required);
    each("start", &LinearWarmup::start);
    each("then", &LinearWarmup::then);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const;
};

/// PyTorch's: an epoch is better where its validation loss is below best * (1 - threshold); after more than `patience`
/// worse ones the rate becomes max(rate * factor, minimum), and the count starts again. It counts epochs alone, and is
/// asked of a Plateau.
struct ReduceOnPlateau {
  static constexpr std::string_view kName = "reduce_on_plateau";
  double factor = 0.1;  ///< In [0, 1).
  int64_t patience = 10;
  double threshold = 1e-4, minimum = 0;

  static void settings(auto&& each) {
    each("factor", &ReduceOnPlateau::factor);
    each("patience", &ReduceOnPlateau::patience);
    each("threshold", &ReduceOnPlateau::threshold);
    each("minimum", &ReduceOnPlateau::minimum);
  }
  std::vector<Fault> check() const;
  double rate(double own, int64_t) const { return own; }
};

namespace train {

/// Reduces a rate epoch by epoch.
class Plateau {
 public:
  struct State {
    double rate = 0;
    std::optional<double> best = std::nullopt;
    int64_t worse = 0;
  };

  Plateau(const ReduceOnPlateau& rules, const State& state) : rules_(rules), state_(state) {}

  void sees(double validation_loss);
  const State& state() const { return state_; }

 private:
  ReduceOnPlateau rules_;
  State state_;
};

}  // namespace train
}  // namespace causeway
