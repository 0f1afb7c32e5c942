#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/tensor/tensor.h"

namespace causeway::nn {

/// Collects the answers that a loss cannot take, by row and column: the first 20, then a count.
class AnswerFaults {
 public:
  /// `classes` is the length of the logits' last axis.
  AnswerFaults(const Tensor& answers, int64_t classes);

  /// `element` counts through all answers; `what` goes on behind "column 3 is 0.5, and ".
  void refuse(int64_t element, const std::string& what);
  /// A row as a whole, `what` being the sentence.
  void refuse_row(int64_t row, std::string what);
  /// All answers, whatever they hold.
  void refuse_all(std::string what);
  int64_t columns() const { return columns_; }
  int64_t classes() const { return classes_; }
  int64_t row_of(int64_t element) const { return element / columns_; }
  std::vector<Fault> take() &&;

 private:
  const Tensor& answers_;
  int64_t columns_, classes_;
  size_t count_ = 0;
  std::vector<Fault> faults_;
};

// What several losses ask of their answers.

void expect_finite(const Tensor& answers, AnswerFaults& faults);
/// Each in [0, 1].
void expect_chances(const Tensor& answers, AnswerFaults& faults);
/// Shares of at least 0 along the last axis, which sum to 1 within 1e-6 a class, or class numbers (int64) in
/// [0, classes); of two classes or more.
void expect_shares(const Tensor& answers, AnswerFaults& faults);

}  // namespace causeway::nn
