#pragma once

#include <string>
#include <vector>

#include "causeway/graph/op.h"
#include "causeway/tensor/dtype.h"

namespace causeway::tests {

/// One input of a case: numbers drawn from a range, numbers given, or none.
struct InputCase {
  /// Known: a constant when the graph is built (lengths, starts, pads). The others are handed in when it runs.
  enum class Kind { Drawn, Given, Known, Absent };
  Kind kind = Kind::Drawn;
  DType dtype = DType::Float32;
  std::vector<int64_t> lengths = {};
  double low = -2, high = 2;
  /// Drawn numbers keep 0.05 away from these: corners that a difference cannot see.
  std::vector<double> clear_of = {};
  /// Drawn numbers are all different, by more than a step of a difference.
  bool apart = false;
  std::vector<double> numbers = {};

  InputCase away_from(std::vector<double> corners) const {
    InputCase away = *this;
    away.clear_of = std::move(corners);
    return away;
  }
  InputCase all_apart() const {
    InputCase other = *this;
    other.apart = true;
    return other;
  }
};

/// Float32, drawn from [low, high).
inline InputCase floats(std::vector<int64_t> lengths, double low = -2, double high = 2) {
  return {.lengths = std::move(lengths), .low = low, .high = high};
}
/// Float32, as given.
inline InputCase floats_of(std::vector<int64_t> lengths, std::vector<double> numbers) {
  return {.kind = InputCase::Kind::Given, .lengths = std::move(lengths), .numbers = std::move(numbers)};
}
/// Of any dtype, drawn: whole numbers from [low, high) where it is none of the floats.
inline InputCase drawn(DType dtype, std::vector<int64_t> lengths, double low, double high) {
  return {.dtype = dtype, .lengths = std::move(lengths), .low = low, .high = high};
}
inline InputCase given(DType dtype, std::vector<int64_t> lengths, std::vector<double> numbers) {
  return {.kind = InputCase::Kind::Given, .dtype = dtype, .lengths = std::move(lengths), .numbers = std::move(numbers)};
}
/// An int64 list that is known when the graph is built.
inline InputCase known(std::vector<double> numbers) {
  const int64_t count = static_cast<int64_t>(numbers.size());
  return {.kind = InputCase::Kind::Known, .dtype = DType::Int64, .lengths = {count}, .numbers = std::move(numbers)};
}
inline InputCase known(DType dtype, std::vector<int64_t> lengths, std::vector<double> numbers) {
  return {.kind = InputCase::Kind::Known, .dtype = dtype, .lengths = std::move(lengths), .numbers = std::move(numbers)};
}
inline InputCase absent() { return {.kind = InputCase::Kind::Absent}; }

/// How far an engine's answer may be from the reference's.
struct Bound {
  enum class Kind { Relative, Totals };
  Kind kind = Kind::Relative;
  /// Relative: |difference| <= relative * |y| + absolute; both 0: equal bits.
  double relative = 0, absolute = 0;
};
/// One rounding of a float32.
inline constexpr double kRounding = 0x1p-24;
/// Data movement, comparisons, indexes, the largest of some.
inline constexpr Bound kEqualBits = {};
/// + - * / √ and their like.
inline constexpr Bound kOneRounding = {.relative = kRounding};
/// exp, log, tanh and what is made of them; softmax.
inline constexpr Bound kFunction = {.relative = 1.3e-6, .absolute = 1e-6};
/// 4 * max(1, √(n / 512)) roundings of Σ|terms|, and one for a bias. The terms are found by running the op on the sizes
/// of its inputs, their count by running it on ones.
inline constexpr Bound kTotals = {.kind = Bound::Kind::Totals};
inline constexpr Bound kNormalization = {.relative = 1e-5, .absolute = 1e-5};

/// One use of an op. The harness (op_checks_test.cpp) checks its shape rule, its gradient and every engine on it.
struct OpCase {
  std::string name = {};
  Op op;
  std::vector<InputCase> inputs = {};
  Bound bound = kEqualBits;
  /// The numbers of each output, where they are stated: from the specification, to six digits.
  std::vector<std::vector<double>> expected = {};
  /// The gradient to the first input where a gradient of 1 arrives everywhere, where it is stated: what holds at corners.
  std::vector<double> expected_gradient = {};
  /// Floating inputs to which no gradient flows by the op's rule, though the output depends on them.
  std::vector<size_t> no_gradient_to = {};
  /// Outputs from which a gradient flows; all floating ones where it is empty.
  std::vector<size_t> gradient_from = {};
  /// Where the gradient is not that of a difference: at a corner, or of numbers too large.
  bool check_gradient = true;
  /// The op takes float32 alone, so its differences are taken there.
  bool float32_only = false;
  /// What is Known must be: the shape rule refuses to work without (a Split has as many outputs as lengths).
  bool must_be_known = false;
};

using OpCases = std::vector<OpCase>;

/// Every case of every family, in the order of case_list.cpp.
const OpCases& all_op_cases();

}  // namespace causeway::tests
