#pragma once

#include "causeway/nn/loss.h"

namespace causeway {

/// softplus(o) - a * o, the mean over everything but the batch; answers are chances in [0, 1]. Smoothing s:
/// a <- a * (1 - s) + s / 2.
struct BinaryCrossentropy {
  static constexpr std::string_view kName = "binary_crossentropy";
  static constexpr AnswerKind kAnswers = AnswerKind::Chances;
  static constexpr bool kSaysLogits = true;
  float label_smoothing = 0;

  static void settings(auto&& each) { each("label_smoothing", &BinaryCrossentropy::label_smoothing); }
  void fits() const;
  std::optional<Op> activation() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

/// -sum_c a_c * log_softmax(o)_c over the last axis, the mean over any axes between; answers are shares that sum to 1,
/// or class numbers. Smoothing s over C classes: a <- a * (1 - s) + s / C.
struct CategoricalCrossentropy {
  static constexpr std::string_view kName = "categorical_crossentropy";
  static constexpr AnswerKind kAnswers = AnswerKind::Shares;
  static constexpr bool kSaysLogits = true;
  float label_smoothing = 0;

  static void settings(auto&& each) { each("label_smoothing", &CategoricalCrossentropy::label_smoothing); }
  void fits() const;
  std::optional<Op> activation() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

/// The same over class numbers alone.
struct SparseCategoricalCrossentropy {
  static constexpr std::string_view kName = "sparse_categorical_crossentropy";
  static constexpr AnswerKind kAnswers = AnswerKind::ClassNumbers;
  static constexpr bool kSaysLogits = true;

  static void settings(auto&&) {}
  std::optional<Op> activation() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

}  // namespace causeway
