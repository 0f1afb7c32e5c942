#include "causeway/ops/sparsemax.h"
#include "causeway/tensor/shape.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {

OpCases sparsemax_cases() {
  OpCases cases = {
      {.name = "sparsemax stated",
       .op = ops::Sparsemax(),
       .inputs = {floats_of({3}, {1, 0.8, 0.1})},
       .bound = kFunction,
       .expected = {{0.6, 0.4, 0}}},
      {.name = "sparsemax of one kept",
       .op = ops::Sparsemax(),
       .inputs = {floats_of({2}, {1, -0.5})},
       .bound = kFunction,
       .expected = {{1, 0}}},
      {.name = "sparsemax of equals",
       .op = ops::Sparsemax(),
       .inputs = {floats_of({4}, {2, 2, 2, 2})},
       .bound = kFunction,
       .expected = {{0.25, 0.25, 0.25, 0.25}}},
  };
  struct Along {
    std::vector<int64_t> lengths;
    int64_t axis;
  };
  const Along kAlong[] = {{{1}, 0}, {{7}, -1}, {{3, 17}, -1}, {{3, 17}, 0}, {{2, 3, 5}, 1}, {{0, 4}, 1}, {{5, 1}, 1}};
  for (const auto& [lengths, axis] : kAlong) {
    // Far apart, so that a difference crosses no corner: what is kept stays kept.
    cases.push_back({.name = "sparsemax " + text_of(lengths) + " along " + std::to_string(axis),
                     .op = ops::Sparsemax{.axis = axis},
                     .inputs = {floats(lengths, -0.01, 0.01)},
                     .bound = kFunction});
  }
  return cases;
}

}  // namespace causeway::tests
