#include "causeway/nn/losses/row_terms.h"

#include <numeric>

#include "causeway/ops/build.h"

namespace causeway::nn {

Value mean_of_rows(Value elements) {
  const Shape& shape = elements.shape();
  if (!shape.has_rank() || shape.rank() == 0) unfit("a loss takes rows, and " + shape.text() + " stands there.");
  std::vector<int64_t> axes(shape.rank() - 1);
  std::iota(axes.begin(), axes.end(), int64_t{1});
  return axes.empty() ? elements : ops::reduce_mean(elements, axes);
}

Value smoothed(Value answers, float smoothing, double shared) {
  if (smoothing == 0) return answers;
  return ops::shifted(ops::scale(answers, 1 - smoothing), smoothing / shared);
}

void expect_smoothing(float smoothing) {
  if (!(smoothing >= 0 && smoothing <= 1)) {
    unfit("'label_smoothing' is " + text_of(smoothing) + ", and lies in [0, 1].");
  }
}

int64_t classes_of(const Value& logits) {
  const Dim& classes = logits.shape().at(-1);
  if (!classes.is_number()) unfit("the loss needs the number of classes, and it is open.");
  return classes.number();
}

Value shares_of(Value answers, const Value& logits) {
  if (answers.dtype() != DType::Int64) return answers;
  std::vector<int64_t> numbers(static_cast<size_t>(classes_of(logits)));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  const Value each = ops::integers(answers.graph(), std::move(numbers));
  return ops::cast(ops::equal(ops::unsqueeze(answers, {-1}), each), DType::Float32);
}

}  // namespace causeway::nn
