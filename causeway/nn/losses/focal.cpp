#include "causeway/nn/losses/focal.h"

#include <cmath>
#include <limits>

#include "causeway/nn/losses/answer_faults.h"
#include "causeway/nn/losses/row_terms.h"
#include "causeway/ops/build.h"
#include "causeway/ops/sigmoid.h"

namespace causeway {

void BinaryFocalCrossentropy::fits() const {
  nn::expect_smoothing(label_smoothing);
  if (!(gamma >= 0 && std::isfinite(gamma))) unfit("'gamma' is " + text_of(gamma) + ", and is finite and at least 0.");
  if (!(alpha >= 0 && alpha <= 1)) unfit("'alpha' is " + text_of(alpha) + ", and lies in [0, 1].");
}

std::optional<Op> BinaryFocalCrossentropy::activation() const { return ops::Sigmoid{}; }

// 1 - p_t is a * sigmoid(-o) + (1 - a) * sigmoid(o), which cancels nothing. It is kept off 0, where the slope of a power
// below 1 has no bound; the loss itself is 0 there.
Value BinaryFocalCrossentropy::rows(Value logits, Value answers) const {
  const Value yes = nn::smoothed(answers, label_smoothing, 2), no = ops::shifted(ops::neg(yes), 1);
  const Value missed = ops::add(ops::mul(yes, ops::sigmoid(ops::neg(logits))), ops::mul(no, ops::sigmoid(logits)));
  const Value factor = ops::pow(ops::max(missed, std::numeric_limits<float>::min()), gamma);
  Value terms = ops::mul(factor, ops::sub(ops::softplus(logits), ops::mul(yes, logits)));
  if (apply_class_balancing) {
    terms = ops::mul(terms, ops::add(ops::scale(yes, alpha), ops::scale(no, 1 - alpha)));
  }
  return nn::mean_of_rows(terms);
}

void BinaryFocalCrossentropy::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_chances(answers, faults);
}

}  // namespace causeway
