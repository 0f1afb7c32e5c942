#include "causeway/nn/losses/errors.h"

#include <cmath>

#include "causeway/nn/losses/answer_faults.h"
#include "causeway/nn/losses/row_terms.h"
#include "causeway/ops/build.h"
#include "causeway/ops/elementary.h"

namespace causeway {

Value MeanSquaredError::rows(Value logits, Value answers) const {
  return nn::mean_of_rows(ops::square(ops::sub(logits, answers)));
}

void MeanSquaredError::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_finite(answers, faults);
}

Value MeanAbsoluteError::rows(Value logits, Value answers) const {
  return nn::mean_of_rows(ops::abs(ops::sub(logits, answers)));
}

void MeanAbsoluteError::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_finite(answers, faults);
}

void Huber::fits() const {
  if (!(delta > 0 && std::isfinite(delta))) unfit("'delta' is " + text_of(delta) + ", and is finite and above 0.");
}

// With c the error cut to ±delta both branches are c * (e - c / 2), so neither overflows where the other holds.
Value Huber::rows(Value logits, Value answers) const {
  const Value error = ops::sub(logits, answers), cut = ops::clip(error, -delta, delta);
  return nn::mean_of_rows(ops::mul(cut, ops::sub(error, ops::scale(cut, 0.5))));
}

void Huber::check(const Tensor& answers, nn::AnswerFaults& faults) const { nn::expect_finite(answers, faults); }

std::optional<Op> Poisson::activation() const { return log_input ? std::optional<Op>(ops::Exp{}) : std::nullopt; }

Value Poisson::rows(Value logits, Value answers) const {
  const Value rate = log_input ? ops::exp(logits) : logits;
  const Value log_rate = log_input ? logits : ops::log(ops::shifted(logits, 1e-7));
  return nn::mean_of_rows(ops::sub(rate, ops::mul(answers, log_rate)));
}

void Poisson::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  const std::span<const float> values = answers.values<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    const bool fits = values[i] >= 0 && std::isfinite(values[i]);
    if (!fits) faults.refuse(static_cast<int64_t>(i), "a count is finite and at least 0.");
  }
}

}  // namespace causeway
