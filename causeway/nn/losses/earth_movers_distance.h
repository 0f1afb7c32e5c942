#pragma once

#include "causeway/nn/loss.h"

namespace causeway {

/// How far shares of ordered classes must be moved: sum over j < C of |sum over i <= j of (p_i - a_i)|, p = softmax(o) over
/// the last axis, the mean over any axes between; answers are shares, or class numbers.
///
/// Settings   remainder: the last class is what is left over. The others, the bands, are compared as shares of what they
///            hold together, and |p_last - a_last| is added; answers whose bands hold nothing are refused.
struct EarthMoversDistance {
  static constexpr std::string_view kName = "earth_movers_distance";
  static constexpr AnswerKind kAnswers = AnswerKind::Shares;
  bool remainder = false;

  static void settings(auto&& each) { each("remainder", &EarthMoversDistance::remainder); }
  std::optional<Op> activation() const;
  Value rows(Value logits, Value answers) const;
  void check(const Tensor& answers, nn::AnswerFaults& faults) const;
};

}  // namespace causeway
