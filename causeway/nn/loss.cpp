#include "causeway/nn/loss.h"

#include <cmath>

#include "causeway/nn/losses/answer_faults.h"

namespace causeway {

Loss Loss::weighing(LossWeight weight) const {
  Loss other = *this;
  other.weight_ = weight;
  return other;
}

void Loss::fits() const {
  rules_->fits(settings_.get());
  if (!(weight_.weight >= 0 && std::isfinite(weight_.weight))) {
    unfit("'weight' is " + text_of(weight_.weight) + ", and is finite and at least 0.");
  }
}

Value Loss::answer(Value logits) const {
  const std::optional<Op> last = activation();
  return last ? logits.graph().add1(*last, {logits}) : logits;
}

std::vector<Fault> Loss::check(const Tensor& answers, int64_t classes) const {
  nn::AnswerFaults faults(answers, classes);
  rules_->check(settings_.get(), answers, faults);
  return std::move(faults).take();
}

}  // namespace causeway
