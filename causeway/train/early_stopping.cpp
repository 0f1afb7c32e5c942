#include "causeway/train/early_stopping.h"

namespace causeway::train {

bool Judge::sees(int epoch, double validation_loss) {
  if (epoch < rules_.start_from_epoch) return false;
  const bool first = !state_.best;
  if (!first) ++state_.wait;
  if (first || validation_loss + rules_.min_delta < *state_.best) {
    state_.best = validation_loss;
    state_.best_epoch = epoch + 1;
    state_.wait = 0;
    return true;
  }
  if (state_.wait >= rules_.patience) state_.stopped = true;
  return false;
}

}  // namespace causeway::train
