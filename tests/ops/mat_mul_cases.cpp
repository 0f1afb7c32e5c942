#include "causeway/ops/mat_mul.h"
#include "causeway/tensor/shape.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {

OpCases mat_mul_cases() {
  OpCases cases = {
      {.name = "mat_mul stated",
       .op = ops::MatMul(),
       .inputs = {floats_of({2, 2}, {1, 2, 3, 4}), floats_of({2, 3}, {1, 2, 3, 4, 5, 6})},
       .bound = kTotals,
       .expected = {{9, 12, 15, 19, 26, 33}}},
      {.name = "mat_mul of ints",
       .op = ops::MatMul(),
       .inputs = {given(DType::Int64, {1, 2}, {3, -4}), given(DType::Int64, {2, 1}, {5, 6})},
       .expected = {{-9}}},
  };
  struct Product {
    std::vector<int64_t> a, b;
    bool transpose_a = false, transpose_b = false;
  };
  const Product kProducts[] = {
      {{1, 1}, {1, 1}},
      {{3, 5}, {5, 7}},
      {{5, 3}, {5, 7}, true, false},
      {{3, 5}, {7, 5}, false, true},
      {{5, 3}, {7, 5}, true, true},
      {{1, 14}, {14, 16}},
      {{15, 17}, {17, 9}},
      {{2, 31}, {31, 33}},
      {{0, 3}, {3, 2}},
      {{2, 0}, {0, 3}},
      {{2, 3}, {3, 0}},
      {{3}, {3}},
      {{3}, {3, 2}},
      {{2, 3}, {3}},
      {{4, 2, 3}, {3}},
      {{3}, {4, 3, 2}},
      {{2, 3, 5}, {2, 5, 4}},
      {{2, 3, 5}, {5, 4}},
      {{3, 5}, {2, 5, 4}},
      {{2, 1, 3, 5}, {4, 5, 2}},
      {{2, 5, 3}, {1, 4, 5}, true, true},
      {{0, 2, 3}, {3, 2}},
      {{32, 14}, {14, 16}},
  };
  for (const Product& product : kProducts) {
    const std::string turned = product.transpose_a || product.transpose_b
                                   ? std::string(product.transpose_a ? " a'" : "") + (product.transpose_b ? " b'" : "")
                                   : "";
    cases.push_back({.name = "mat_mul " + text_of(product.a) + " " + text_of(product.b) + turned,
                     .op = ops::MatMul{.transpose_a = product.transpose_a, .transpose_b = product.transpose_b},
                     .inputs = {floats(product.a), floats(product.b)},
                     .bound = kTotals});
  }
  // Enough terms for the bound to grow; too many for differences.
  cases.push_back({.name = "mat_mul of long rows",
                   .op = ops::MatMul(),
                   .inputs = {floats({3, 1031}), floats({1031, 5})},
                   .bound = kTotals,
                   .check_gradient = false});
  return cases;
}

}  // namespace causeway::tests
