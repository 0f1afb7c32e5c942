#include <limits>

#include "causeway/ops/softmax.h"
#include "causeway/tensor/shape.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {

OpCases softmax_cases() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  OpCases cases = {
      {.name = "softmax of large numbers",
       .op = ops::Softmax(),
       .inputs = {floats_of({3}, {1000, 1001, 999})},
       .bound = kFunction,
       .expected = {{0.244728, 0.665241, 0.0900306}},
       .check_gradient = false},
      {.name = "softmax along the first axis",
       .op = ops::Softmax{.axis = 0},
       .inputs = {floats_of({2, 2}, {1, 2, 3, 5})},
       .bound = kFunction,
       .expected = {{0.119203, 0.0474259, 0.880797, 0.952574}}},
      {.name = "softmax with one masked",
       .op = ops::Softmax(),
       .inputs = {floats_of({3}, {0, -kInf, 0})},
       .bound = kFunction,
       .expected = {{0.5, 0, 0.5}},
       .check_gradient = false},
      {.name = "log_softmax stated",
       .op = ops::LogSoftmax(),
       .inputs = {floats_of({3}, {1000, 1001, 999})},
       .bound = kFunction,
       .expected = {{-1.40760596, -0.40760596, -2.40760596}},
       .check_gradient = false},
  };
  struct Along {
    std::vector<int64_t> lengths;
    int64_t axis;
  };
  const Along kAlong[] = {
      {{1}, 0},    {{7}, -1},   {{3, 17}, -1}, {{3, 17}, 0}, {{2, 3, 5}, 1},
      {{0, 4}, 1}, {{4, 0}, 0}, {{5, 1}, 1},   {{2, 33}, 1},
  };
  for (const auto& [lengths, axis] : kAlong) {
    const std::string where = text_of(lengths) + " along " + std::to_string(axis);
    cases.push_back({.name = "softmax " + where,
                     .op = ops::Softmax{.axis = axis},
                     .inputs = {floats(lengths, -4, 4)},
                     .bound = kFunction});
    cases.push_back({.name = "log_softmax " + where,
                     .op = ops::LogSoftmax{.axis = axis},
                     .inputs = {floats(lengths, -4, 4)},
                     .bound = kFunction});
  }
  return cases;
}

}  // namespace causeway::tests
