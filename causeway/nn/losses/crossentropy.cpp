#include "causeway/nn/losses/crossentropy.h"

#include "causeway/nn/losses/answer_faults.h"
#include "causeway/nn/losses/row_terms.h"
#include "causeway/ops/build.h"
#include "causeway/ops/sigmoid.h"
#include "causeway/ops/softmax.h"

namespace causeway {

void BinaryCrossentropy::fits() const { nn::expect_smoothing(label_smoothing); }
std::optional<Op> BinaryCrossentropy::activation() const { return ops::Sigmoid{}; }

Value BinaryCrossentropy::rows(Value logits, Value answers) const {
  const Value chances = nn::smoothed(answers, label_smoothing, 2);
  return nn::mean_of_rows(ops::sub(ops::softplus(logits), ops::mul(chances, logits)));
}

void BinaryCrossentropy::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_chances(answers, faults);
}

void CategoricalCrossentropy::fits() const { nn::expect_smoothing(label_smoothing); }
std::optional<Op> CategoricalCrossentropy::activation() const { return ops::Softmax{}; }

Value CategoricalCrossentropy::rows(Value logits, Value answers) const {
  Value shares = nn::shares_of(answers, logits);
  if (label_smoothing != 0) {
    shares = nn::smoothed(shares, label_smoothing, static_cast<double>(nn::classes_of(logits)));
  }
  return nn::mean_of_rows(ops::neg(ops::reduce_sum(ops::mul(shares, ops::log_softmax(logits)), {-1})));
}

void CategoricalCrossentropy::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_shares(answers, faults);
}

std::optional<Op> SparseCategoricalCrossentropy::activation() const { return ops::Softmax{}; }

Value SparseCategoricalCrossentropy::rows(Value logits, Value answers) const {
  return CategoricalCrossentropy{}.rows(logits, answers);
}

void SparseCategoricalCrossentropy::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_shares(answers, faults);
}

}  // namespace causeway
