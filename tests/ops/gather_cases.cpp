#include "causeway/ops/gather.h"
#include "causeway/ops/scatter_add.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {

OpCases gather_cases() {
  const InputCase rows = floats_of({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto places = [](std::vector<int64_t> lengths, double high) {
    return drawn(DType::Int64, std::move(lengths), 0, high);
  };
  return {
      {.name = "gather stated",
       .op = ops::Gather(),
       .inputs = {rows, given(DType::Int64, {}, {-1})},
       .expected = {{6, 7}},
       .expected_gradient = {0, 0, 0, 0, 0, 0, 1, 1}},
      {.name = "gather adds up repeated places",
       .op = ops::Gather(),
       .inputs = {rows, given(DType::Int64, {3}, {1, -3, 1})},
       .expected = {{2, 3, 2, 3, 2, 3}},
       .expected_gradient = {0, 0, 3, 3, 0, 0, 0, 0}},
      {.name = "gather of columns by int32",
       .op = ops::Gather{.axis = -1},
       .inputs = {rows, given(DType::Int32, {1}, {0})},
       .expected = {{0, 2, 4, 6}}},
      {.name = "gather by a matrix", .op = ops::Gather(), .inputs = {floats({9, 17}), places({3, 5}, 9)}},
      {.name = "gather of the middle axis",
       .op = ops::Gather{.axis = 1},
       .inputs = {floats({2, 7, 3}), places({4, 2}, 7)}},
      {.name = "gather of the last axis",
       .op = ops::Gather{.axis = 2},
       .inputs = {floats({2, 3, 15}), places({8}, 15)}},
      {.name = "gather of none", .op = ops::Gather(), .inputs = {floats({5, 3}), places({0}, 5)}},
      {.name = "gather of a list", .op = ops::Gather(), .inputs = {floats({31}), places({33}, 31)}},
      {.name = "gather of ints",
       .op = ops::Gather(),
       .inputs = {given(DType::Int64, {3}, {7, 8, 9}), given(DType::Int64, {2}, {2, 0})},
       .expected = {{9, 7}}},

      {.name = "scatter_add stated",
       .op = ops::ScatterAdd(),
       .inputs = {given(DType::Int64, {3}, {2, 0, -1}), floats_of({3}, {1, 2, 4}), known({3})},
       .bound = kTotals,
       .expected = {{2, 0, 5}}},
      {.name = "scatter_add of rows",
       .op = ops::ScatterAdd(),
       .inputs = {places({3, 5}, 9), floats({3, 5, 17}), known({9, 17})},
       .bound = kTotals},
      {.name = "scatter_add of the middle axis",
       .op = ops::ScatterAdd{.axis = 1},
       .inputs = {places({4}, 7), floats({2, 4, 3}), known({2, 7, 3})},
       .bound = kTotals},
      {.name = "scatter_add of none",
       .op = ops::ScatterAdd(),
       .inputs = {places({0}, 5), floats({0, 3}), known({5, 3})},
       .bound = kTotals},
      {.name = "scatter_add by one index",
       .op = ops::ScatterAdd(),
       .inputs = {given(DType::Int64, {}, {1}), floats({3}), known({2, 3})},
       .bound = kTotals},
  };
}

}  // namespace causeway::tests
