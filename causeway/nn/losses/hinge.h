#pragma once

#include "causeway/nn/loss.h"

namespace causeway {

/// max(0, 1 - a * o), the mean over everything but the batch; its gradient is 0 where a * o is 1. Answers are -1 and 1,
/// or 0 and 1, which the whole of the rows turns to -1 and 1, column by column.
struct Hinge {
  static constexpr std::string_view kName = "hinge";
  static constexpr AnswerKind kAnswers = AnswerKind::Chances;

  static void settings(auto&&) {}
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
  Tensor taken(Tensor answers) const;
};

}  // namespace causeway
