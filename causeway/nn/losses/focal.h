#pragma once

#include "causeway/nn/loss.h"

namespace causeway {

/// Binary crossentropy in which answers that are met already count for little: (1 - p_t)^gamma * (softplus(o) - a * o)
/// with p = sigmoid(o) and p_t = a * p + (1 - a) * (1 - p), the mean over everything but the batch. Balanced, each is
/// times a * alpha + (1 - a) * (1 - alpha). Smoothing s: a <- a * (1 - s) + s / 2.
///
/// Settings   gamma: finite and at least 0; alpha and label_smoothing: in [0, 1].
/// Source     Lin et al. 2017, https://arxiv.org/abs/1708.02002
struct BinaryFocalCrossentropy {
  static constexpr std::string_view kName = "binary_focal_crossentropy";
  static constexpr AnswerKind kAnswers = AnswerKind::Chances;
  static constexpr bool kSaysLogits = true;
  float gamma = 2;
  bool apply_class_balancing = false;
  float alpha = 0.25f;
  float label_smoothing = 0;

  static void settings(auto&& each) {
    each("gamma", &BinaryFocalCrossentropy::gamma);
    each("apply_class_balancing", &BinaryFocalCrossentropy::apply_class_balancing);
    each("alpha", &BinaryFocalCrossentropy::alpha);
    each("label_smoothing", &BinaryFocalCrossentropy::label_smoothing);
  }
  void fits() const;
  std::optional<Op> activation() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

}  // namespace causeway
