#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "causeway/nn/loss.h"

namespace causeway {

/// A loss, and whether it is said to take logits (see nn::give_loss()).
struct StatedLoss {
  Loss loss;
  std::optional<bool> from_logits;

  template <class L>
  requires(std::same_as<L, Loss> || requires { L::kAnswers; })
      StatedLoss(L stated, std::optional<bool> logits = {})  // NOLINT(google-explicit-constructor): mostly unsaid
      : loss(std::move(stated)), from_logits(logits) {}
};

}  // namespace causeway
