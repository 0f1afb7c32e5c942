#include "causeway/nn/losses/hinge.h"

#include "causeway/nn/losses/answer_faults.h"
#include "causeway/nn/losses/row_terms.h"
#include "causeway/ops/build.h"

namespace causeway {

Value Hinge::rows(Value logits, Value answers) const {
  return nn::mean_of_rows(ops::relu(ops::shifted(ops::neg(ops::mul(answers, logits)), 1)));
}

// The first 0 or -1 of a column says what the others of it are.
void Hinge::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  const std::span<const float> values = answers.values<float>();
  const int64_t columns = faults.columns();
  std::vector<float> noes(static_cast<size_t>(columns), 1);
  for (size_t i = 0; i < values.size(); ++i) {
    float& no = noes[i % noes.size()];
    if (values[i] == 1 || values[i] == no) continue;
    if (no == 1 && (values[i] == 0 || values[i] == -1)) {
      no = values[i];
    } else {
      faults.refuse(static_cast<int64_t>(i),
                    no == 1 ? "a column is all 0 and 1, or all -1 and 1."
                            : "the column holds " + text_of(no) + " above: a column is all 0 and 1, or all -1 and 1.");
    }
  }
}

Tensor Hinge::taken(Tensor answers) const {
  for (float& answer : answers.mutable_values<float>()) answer = answer == 0 ? -1 : answer;
  return answers;
}

}  // namespace causeway
