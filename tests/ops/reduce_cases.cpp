#include <limits>

#include "causeway/ops/arg_max.h"
#include "causeway/ops/reduce.h"
#include "causeway/ops/sum_squares.h"
#include "causeway/ops/sum_to.h"
#include "causeway/ops/top_k.h"
#include "causeway/tensor/shape.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

using ops::Reduce;
using ops::ReduceKind;

OpCases stated() {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  const InputCase six = floats_of({2, 3}, {1, 2, 3, 4, 5, 6}), none = floats({0, 2});
  return {
      {.name = "sum stated",
       .op = Reduce{.kind = ReduceKind::Sum, .axes = {0}},
       .inputs = {six},
       .bound = kTotals,
       .expected = {{5, 7, 9}}},
      {.name = "mean stated",
       .op = Reduce{.kind = ReduceKind::Mean, .axes = {-1}},
       .inputs = {six},
       .bound = kTotals,
       .expected = {{2, 5}}},
      {.name = "log_sum_exp stated",
       .op = Reduce{.kind = ReduceKind::LogSumExp},
       .inputs = {floats_of({2}, {1000, 1000})},
       .bound = kFunction,
       .expected = {{1000.693147}}},
      {.name = "log_sum_exp of -inf",
       .op = Reduce{.kind = ReduceKind::LogSumExp},
       .inputs = {floats_of({2}, {-kInf, -kInf})},
       .bound = kFunction,
       .expected = {{-kInf}},
       .check_gradient = false},
      {.name = "largest: nan wins",
       .op = Reduce{.kind = ReduceKind::Max},
       .inputs = {floats_of({3}, {1, kNaN, 2})},
       .expected = {{kNaN}},
       .check_gradient = false},
      {.name = "max shares ties",
       .op = Reduce{.kind = ReduceKind::Max},
       .inputs = {floats_of({4}, {1, 3, 3, 2})},
       .expected = {{3}},
       .expected_gradient = {0, 0.5, 0.5, 0},
       .check_gradient = false},
      {.name = "min shares ties",
       .op = Reduce{.kind = ReduceKind::Min},
       .inputs = {floats_of({4}, {1, 1, 3, 2})},
       .expected = {{1}},
       .expected_gradient = {0.5, 0.5, 0, 0},
       .check_gradient = false},
      {.name = "prod with a zero",
       .op = Reduce{.kind = ReduceKind::Prod, .axes = {1}},
       .inputs = {floats_of({3, 3}, {2, 0, 3, 0, 0, 5, 1, 2, 3})},
       .bound = kFunction,
       .expected = {{0, 0, 6}},
       .expected_gradient = {0, 6, 0, 0, 0, 0, 6, 3, 2}},
      {.name = "sum of none",
       .op = Reduce{.kind = ReduceKind::Sum, .axes = {0}},
       .inputs = {none},
       .expected = {{0, 0}}},
      {.name = "mean of none",
       .op = Reduce{.kind = ReduceKind::Mean, .axes = {0}},
       .inputs = {none},
       .expected = {{kNaN, kNaN}}},
      {.name = "max of none",
       .op = Reduce{.kind = ReduceKind::Max, .axes = {0}},
       .inputs = {none},
       .expected = {{-kInf, -kInf}}},
      {.name = "min of none",
       .op = Reduce{.kind = ReduceKind::Min, .axes = {0}},
       .inputs = {none},
       .expected = {{kInf, kInf}}},
      {.name = "prod of none",
       .op = Reduce{.kind = ReduceKind::Prod, .axes = {0}},
       .inputs = {none},
       .expected = {{1, 1}}},
      {.name = "log_sum_exp of none",
       .op = Reduce{.kind = ReduceKind::LogSumExp, .axes = {0}},
       .inputs = {none},
       .expected = {{-kInf, -kInf}}},
      {.name = "sum of ints",
       .op = Reduce{.kind = ReduceKind::Sum},
       .inputs = {given(DType::Int64, {3}, {1, -5, 9})},
       .expected = {{5}}},
      {.name = "max of int32",
       .op = Reduce{.kind = ReduceKind::Max, .axes = {0}},
       .inputs = {given(DType::Int32, {2, 2}, {1, -5, -9, 7})},
       .expected = {{1, 7}}},
      {.name = "max of truths",
       .op = Reduce{.kind = ReduceKind::Max, .axes = {1}},
       .inputs = {given(DType::Bool, {2, 2}, {0, 1, 0, 0})},
       .expected = {{1, 0}}},

      {.name = "sum_to stated",
       .op = ops::SumTo(),
       .inputs = {six, known({3})},
       .bound = kTotals,
       .expected = {{5, 7, 9}}},
      {.name = "sum_to a row",
       .op = ops::SumTo(),
       .inputs = {six, known({2, 1})},
       .bound = kTotals,
       .expected = {{6, 15}}},
      {.name = "sum_to a scalar", .op = ops::SumTo(), .inputs = {floats({3, 17}), known({})}, .bound = kTotals},
      {.name = "sum_to itself", .op = ops::SumTo(), .inputs = {floats({5, 7}), known({5, 7})}, .bound = kTotals},
      {.name = "sum_to of nothing", .op = ops::SumTo(), .inputs = {floats({0, 3}), known({3})}, .bound = kTotals},
      {.name = "sum_to inner and outer",
       .op = ops::SumTo(),
       .inputs = {floats({2, 3, 4, 5}), known({3, 1, 5})},
       .bound = kTotals},

      {.name = "sum_squares stated",
       .op = ops::SumSquares(),
       .inputs = {floats_of({2, 2}, {1, 2, -3, 4})},
       .bound = {.relative = 1e-14},
       .expected = {{30}},
       .float32_only = true},
      {.name = "sum_squares of many",
       .op = ops::SumSquares(),
       .inputs = {floats({257})},
       .bound = {.relative = 1e-14},
       .float32_only = true},
      {.name = "sum_squares of none",
       .op = ops::SumSquares(),
       .inputs = {floats({0})},
       .expected = {{0}},
       .float32_only = true},

      {.name = "arg_max first",
       .op = ops::ArgMax{.axis = 0},
       .inputs = {floats_of({4}, {1, 3, 3, 2})},
       .expected = {{1}}},
      {.name = "arg_max last",
       .op = ops::ArgMax{.axis = 0, .select_last = true},
       .inputs = {floats_of({4}, {1, 3, 3, 2})},
       .expected = {{2}}},
      {.name = "arg_max: nan wins",
       .op = ops::ArgMax{.axis = 0},
       .inputs = {floats_of({3}, {1, kNaN, kInf})},
       .expected = {{1}}},
      {.name = "arg_max rows", .op = ops::ArgMax{.axis = -1, .keepdims = false}, .inputs = {floats({5, 17})}},
      {.name = "arg_max middle", .op = ops::ArgMax{.axis = 1}, .inputs = {floats({2, 7, 3})}},
      {.name = "arg_max of ints",
       .op = ops::ArgMax{.axis = 0},
       .inputs = {given(DType::Int64, {2, 2}, {1, 9, 4, 2})},
       .expected = {{1, 0}}},
      {.name = "top_k: the first of equals first",
       .op = ops::TopK(),
       .inputs = {floats_of({5}, {1, 3, 2, 3, 0}), known({3})},
       .expected = {{3, 3, 2}, {1, 3, 2}},
       .expected_gradient = {0, 1, 1, 1, 0},
       .check_gradient = false,
       .must_be_known = true},
      {.name = "top_k: the smallest",
       .op = ops::TopK{.largest = false},
       .inputs = {floats_of({5}, {1, 3, 2, 3, 0}), known({2})},
       .expected = {{0, 1}, {4, 0}},
       .must_be_known = true},
      {.name = "top_k: nan is the largest",
       .op = ops::TopK(),
       .inputs = {floats_of({3}, {kInf, kNaN, 1}), known({2})},
       .expected = {{kNaN, kInf}, {1, 0}},
       .check_gradient = false,
       .must_be_known = true},
      {.name = "top_k of the middle axis",
       .op = ops::TopK{.axis = 1},
       .inputs = {floats({2, 7, 3}), known({4})},
       .must_be_known = true},
      {.name = "top_k: all of them", .op = ops::TopK(), .inputs = {floats({3, 5}), known({5})}, .must_be_known = true},
      {.name = "top_k: none", .op = ops::TopK(), .inputs = {floats({3, 5}), known({0})}, .must_be_known = true},
      {.name = "top_k of ints",
       .op = ops::TopK(),
       .inputs = {given(DType::Int64, {3}, {7, 9, 8}), known({1})},
       .expected = {{9}, {1}},
       .must_be_known = true},
      {.name = "arg_max of no rows", .op = ops::ArgMax{.axis = 1}, .inputs = {floats({0, 3})}},
  };
}

}  // namespace

OpCases reduce_cases() {
  OpCases cases = stated();
  struct Kind {
    ReduceKind kind;
    InputCase x;
    Bound bound;
  };
  const Kind kKinds[] = {
      {ReduceKind::Sum, floats({}), kTotals},
      {ReduceKind::Mean, floats({}), kTotals},
      {ReduceKind::Max, floats({}).all_apart(), kEqualBits},
      {ReduceKind::Min, floats({}).all_apart(), kEqualBits},
      {ReduceKind::Prod, floats({}, 0.6, 1.5), {.relative = 64 * kRounding}},
      {ReduceKind::LogSumExp, floats({}), kFunction},
  };
  struct Over {
    std::vector<int64_t> lengths, axes;
    bool keepdims = false;
  };
  const Over kOver[] = {
      {{7}, {}},
      {{}, {}},
      {{2, 3}, {0}},
      {{2, 3}, {1}, true},
      {{2, 3, 5}, {0, 2}},
      {{5, 17}, {-1}},
      {{2, 3, 4, 5}, {1, 2}, true},
      {{1, 1}, {0, 1}},
      {{0, 3}, {1}},
      {{3, 31}, {}, true},
  };
  for (const Kind& kind : kKinds) {
    for (const Over& over : kOver) {
      InputCase x = kind.x;
      x.lengths = over.lengths;
      cases.push_back({.name = std::string(words_of(kind.kind)[static_cast<size_t>(kind.kind)]) + " " +
                               text_of(over.lengths) + " over " + text_of(over.axes) + (over.keepdims ? " kept" : ""),
                       .op = Reduce{.kind = kind.kind, .axes = over.axes, .keepdims = over.keepdims},
                       .inputs = {x},
                       .bound = kind.bound});
    }
  }
  return cases;
}

}  // namespace causeway::tests
