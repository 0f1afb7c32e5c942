#pragma once

#include "causeway/nn/loss.h"

namespace causeway {

/// (o - a)^2, the mean over everything but the batch.
struct MeanSquaredError {
  static constexpr std::string_view kName = "mean_squared_error";
  static constexpr AnswerKind kAnswers = AnswerKind::Numbers;

  static void settings(auto&&) {}
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

/// |o - a|, the mean over everything but the batch; its gradient is 0 at 0.
struct MeanAbsoluteError {
  static constexpr std::string_view kName = "mean_absolute_error";
  static constexpr AnswerKind kAnswers = AnswerKind::Numbers;

  static void settings(auto&&) {}
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

/// With e = o - a: e^2 / 2 where |e| <= delta, delta * |e| - delta^2 / 2 elsewhere; the mean over everything but the
/// batch. delta is finite and above 0.
struct Huber {
  static constexpr std::string_view kName = "huber";
  static constexpr AnswerKind kAnswers = AnswerKind::Numbers;
  float delta = 1;

  static void settings(auto&& each) { each("delta", &Huber::delta); }
  void fits() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

/// Counts: o - a * log(o + 1e-7), o being the rate, which ends positive (below -1e-7 there is no finite loss); or with
/// log_input e^o - a * o, o being the rate's logarithm. The mean over everything but the batch; answers are at least 0.
struct Poisson {
  static constexpr std::string_view kName = "poisson";
  static constexpr AnswerKind kAnswers = AnswerKind::Numbers;
  bool log_input = false;

  static void settings(auto&& each) { each("log_input", &Poisson::log_input); }
  /// With log_input the exponential.
  std::optional<Op> activation() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

}  // namespace causeway
