#include "causeway/nn/answers.h"

#include <algorithm>
#include <cmath>

#include "causeway/nn/losses/answer_faults.h"

namespace causeway::nn {
namespace {

bool fits(const std::vector<int64_t>& lengths, const Shape& shape) {
  if (!shape.has_rank() || shape.rank() != lengths.size()) return !shape.has_rank();
  for (size_t axis = 0; axis < lengths.size(); ++axis) {
    if (shape[axis].is_number() && shape[axis].number() != lengths[axis]) return false;
  }
  return true;
}

// Answers that are class numbers by their shape, without their last axis; none where they are something else.
std::optional<Tensor> class_numbers(const Tensor& answers, const Shape& logits) {
  if (!logits.has_rank() || logits.rank() < 2) return std::nullopt;
  std::vector<int64_t> lengths = answers.lengths();
  const Dim& classes = logits.at(-1);
  const bool is_single = lengths.size() == logits.rank() && lengths.back() == 1;
  if (is_single && classes.is_number() && classes.number() == 1) return std::nullopt;
  if (is_single) lengths.pop_back();
  if (!fits(lengths, Shape(std::vector<Dim>(logits.dims->begin(), logits.dims->end() - 1)))) return std::nullopt;
  return answers.reshaped(lengths);
}

// Whole numbers as int64; those that are not are refused.
std::optional<Tensor> whole_numbers(const Tensor& numbers, int64_t classes, std::vector<Fault>& faults) {
  AnswerFaults refused(numbers, classes);
  Tensor whole(DType::Int64, numbers.lengths());
  const std::span<int64_t> into = whole.mutable_values<int64_t>();
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers.number_at(i);
    if (number == std::floor(number) && std::fabs(number) < 0x1p53) {
      into[static_cast<size_t>(i)] = static_cast<int64_t>(number);
    } else {
      refused.refuse(i, "a class is a whole number in [0, " + std::to_string(classes) + ").");
    }
  }
  std::vector<Fault> found = std::move(refused).take();
  if (found.empty()) return whole;
  faults.insert(faults.end(), found.begin(), found.end());
  return std::nullopt;
}

Tensor shaped(const Loss& loss, const Tensor& answers, const Shape& logits) {
  if (loss.answers() == AnswerKind::ClassNumbers) {
    unfit("the answers are " + text_of(answers.lengths()) + ", and class numbers without the last axis of " +
          logits.text() + " are taken.");
  }
  if (fits(answers.lengths(), logits)) return answers.converted(DType::Float32);
  std::vector<int64_t> column = answers.lengths();
  column.push_back(1);
  const bool is_column = logits.has_rank() && logits.at(-1).is_number() && fits(column, logits);
  if (is_column) return answers.converted(DType::Float32).reshaped(column);
  unfit("the answers are " + text_of(answers.lengths()) + ", and the network gives " + logits.text() + ".");
}

}  // namespace

std::optional<Tensor> answers_for(const Loss& loss, const Tensor& answers, const Shape& logits,
                                  std::vector<Fault>& faults) {
  const bool takes_numbers = loss.answers() == AnswerKind::Shares || loss.answers() == AnswerKind::ClassNumbers;
  const std::optional<Tensor> numbers = takes_numbers ? class_numbers(answers, logits) : std::nullopt;
  const bool known = logits.has_rank() && logits.rank() > 0 && logits.at(-1).is_number();
  const int64_t classes = known ? logits.at(-1).number() : answers.rank() == 0 ? 1 : answers.lengths().back();
  std::optional<Tensor> taken;
  try {
    taken = numbers ? whole_numbers(*numbers, classes, faults) : shaped(loss, answers, logits);
  } catch (const Unfit& unfit) {
    faults.push_back({"", unfit.what()});
  }
  if (!taken) return std::nullopt;
  const std::vector<Fault> found = loss.check(*taken, classes);
  faults.insert(faults.end(), found.begin(), found.end());
  if (!found.empty()) return std::nullopt;
  return loss.taken(std::move(*taken));
}

std::vector<int64_t> classes_of_rows(const Loss& loss, const Tensor& answers) {
  if (loss.answers() == AnswerKind::Numbers) {
    unfit("the answers of " + std::string(loss.name()) + " have no classes to weigh.");
  }
  const int64_t rows = answers.lengths()[0], columns = rows == 0 ? 1 : answers.size() / rows;
  const bool are_shares = loss.answers() == AnswerKind::Shares && answers.dtype() == DType::Float32;
  if (are_shares ? answers.rank() != 2 : columns != 1) {
    unfit("its answers are " + text_of(answers.lengths()) +
          ", and class weights are for one answer a row. Hand each row its weight.");
  }
  std::vector<int64_t> classes;
  for (int64_t row = 0; row < rows; ++row) {
    if (answers.dtype() == DType::Int64) {
      classes.push_back(answers.values<int64_t>()[static_cast<size_t>(row)]);
    } else if (are_shares) {
      const std::span<const float> shares =
          answers.values<float>().subspan(static_cast<size_t>(row * columns), static_cast<size_t>(columns));
      classes.push_back(std::max_element(shares.begin(), shares.end()) - shares.begin());
    } else {
      classes.push_back(std::max(0L, std::lround(answers.values<float>()[static_cast<size_t>(row)])));
    }
  }
  return classes;
}

}  // namespace causeway::nn
