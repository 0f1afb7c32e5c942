#include "causeway/ops/concat.h"
#include "causeway/ops/split.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {

OpCases concat_cases() {
  return {
      {.name = "concat stated",
       .op = ops::Concat{.axis = 1},
       .inputs = {floats_of({2, 1}, {1, 2}), floats_of({2, 2}, {3, 4, 5, 6})},
       .expected = {{1, 3, 4, 2, 5, 6}}},
      {.name = "concat of one", .op = ops::Concat{.axis = 0}, .inputs = {floats({5})}},
      {.name = "concat of three with none between",
       .op = ops::Concat{.axis = -1},
       .inputs = {floats({3, 7}), floats({3, 0}), floats({3, 9})}},
      {.name = "concat of the middle axis",
       .op = ops::Concat{.axis = 1},
       .inputs = {floats({2, 3, 5}), floats({2, 1, 5}), floats({2, 17, 5})}},
      {.name = "concat of no rows", .op = ops::Concat{.axis = 1}, .inputs = {floats({0, 2}), floats({0, 3})}},
      {.name = "concat of many",
       .op = ops::Concat{.axis = 0},
       .inputs = {floats({1, 15}), floats({2, 15}), floats({3, 15}), floats({5, 15}), floats({7, 15})}},
      {.name = "concat of ints",
       .op = ops::Concat{.axis = 0},
       .inputs = {given(DType::Int64, {2}, {1, -2}), given(DType::Int64, {1}, {3})},
       .expected = {{1, -2, 3}}},
      {.name = "concat of truths",
       .op = ops::Concat{.axis = 0},
       .inputs = {given(DType::Bool, {2}, {1, 0}), given(DType::Bool, {1}, {1})},
       .expected = {{1, 0, 1}}},

      {.name = "split stated",
       .op = ops::Split{.axis = 1},
       .inputs = {floats_of({2, 3}, {1, 2, 3, 4, 5, 6}), known({1, 2})},
       .expected = {{1, 4}, {2, 3, 5, 6}},
       .must_be_known = true},
      {.name = "split of the first axis",
       .op = ops::Split{.axis = 0},
       .inputs = {floats({17, 3}), known({8, 9})},
       .must_be_known = true},
      {.name = "split with an empty part",
       .op = ops::Split{.axis = -1},
       .inputs = {floats({2, 3, 7}), known({3, 0, 4})},
       .must_be_known = true},
      {.name = "split into one",
       .op = ops::Split{.axis = 0},
       .inputs = {floats({5}), known({5})},
       .must_be_known = true},
      {.name = "split of no rows",
       .op = ops::Split{.axis = 1},
       .inputs = {floats({0, 4}), known({1, 3})},
       .must_be_known = true},
      {.name = "split whose last part alone is read",
       .op = ops::Split{.axis = 1},
       .inputs = {floats({3, 5}), known({2, 3})},
       .gradient_from = {1},
       .must_be_known = true},
  };
}

}  // namespace causeway::tests
