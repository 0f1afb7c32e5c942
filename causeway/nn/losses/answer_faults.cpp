#include "causeway/nn/losses/answer_faults.h"

#include <algorithm>
#include <cmath>

namespace causeway::nn {
namespace {

constexpr size_t kListed = 20;

}  // namespace

AnswerFaults::AnswerFaults(const Tensor& answers, int64_t classes) : answers_(answers), classes_(classes) {
  const int64_t rows = answers.rank() == 0 ? 1 : answers.lengths()[0];
  columns_ = std::max<int64_t>(1, rows == 0 ? 1 : answers.size() / rows);
}

void AnswerFaults::refuse(int64_t element, const std::string& what) {
  refuse_row(row_of(element), "column " + std::to_string(element % columns_) + " is " +
                                  text_of(answers_.number_at(element)) + ", and " + what);
}

void AnswerFaults::refuse_row(int64_t row, std::string what) {
  if (++count_ <= kListed) faults_.push_back({"row " + std::to_string(row), std::move(what)});
}

void AnswerFaults::refuse_all(std::string what) {
  if (++count_ <= kListed) faults_.push_back({"", std::move(what)});
}

std::vector<Fault> AnswerFaults::take() && {
  if (count_ > kListed) faults_.push_back({"", "and " + std::to_string(count_ - kListed) + " more."});
  return std::move(faults_);
}

void expect_finite(const Tensor& answers, AnswerFaults& faults) {
  const std::span<const float> values = answers.values<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) faults.refuse(static_cast<int64_t>(i), "an answer is finite.");
  }
}

void expect_chances(const Tensor& answers, AnswerFaults& faults) {
  const std::span<const float> values = answers.values<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0 && values[i] <= 1)) faults.refuse(static_cast<int64_t>(i), "a chance lies in [0, 1].");
  }
}

namespace {

void expect_class_numbers(const Tensor& answers, AnswerFaults& faults) {
  const std::span<const int64_t> numbers = answers.values<int64_t>();
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= 0 && numbers[i] < faults.classes()) continue;
    faults.refuse(static_cast<int64_t>(i), "a class lies in [0, " + std::to_string(faults.classes()) + ").");
  }
}

}  // namespace

void expect_shares(const Tensor& answers, AnswerFaults& faults) {
  const int64_t classes = faults.classes();
  if (classes < 2) {
    return faults.refuse_all("a loss over classes takes two of them or more, and the network gives " +
                             std::to_string(classes) + ".");
  }
  if (answers.dtype() == DType::Int64) return expect_class_numbers(answers, faults);
  const std::span<const float> values = answers.values<float>();
  for (int64_t from = 0; from < answers.size(); from += classes) {
    double sum = 0;
    bool fit = true;
    for (int64_t c = from; c < from + classes; ++c) {
      const float share = values[static_cast<size_t>(c)];
      sum += share;
      if (share >= 0 && std::isfinite(share)) continue;
      fit = false;
      faults.refuse(c, "a share is finite and at least 0.");
    }
    if (fit && std::fabs(sum - 1) > 1e-6 * static_cast<double>(classes)) {
      faults.refuse_row(faults.row_of(from), "its shares sum to " + text_of(sum) + ", and they sum to 1.");
    }
  }
}

}  // namespace causeway::nn
