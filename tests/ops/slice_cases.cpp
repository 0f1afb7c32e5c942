#include <limits>

#include "causeway/ops/slice.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

struct Cut {
  const char* name;
  std::vector<int64_t> lengths, made;
  std::vector<double> starts, ends, axes, steps;
};

/// Each as a Slice and, from what it makes, as its gradient.
void add_cuts(OpCases& cases) {
  constexpr double kFar = 9e15;
  const Cut kCuts[] = {
      {"a block", {17}, {8}, {3}, {11}, {0}, {1}},
      {"to the end", {3, 9}, {3, 7}, {2}, {kFar}, {1}, {1}},
      {"from the end", {3, 9}, {3, 2}, {-2}, {kFar}, {-1}, {1}},
      {"every third", {31, 2}, {10, 2}, {1}, {31}, {0}, {3}},
      {"backwards", {7, 2}, {7, 2}, {-1}, {-kFar}, {0}, {-1}},
      {"every second backwards", {2, 8}, {2, 3}, {6}, {0}, {1}, {-2}},
      {"two axes", {5, 7, 3}, {2, 7, 1}, {1, -1}, {3, kFar}, {0, 2}, {1, 1}},
      {"clamped at both ends", {5}, {5}, {-kFar}, {kFar}, {0}, {1}},
      {"nothing left", {5, 2}, {0, 2}, {3}, {3}, {0}, {1}},
      {"of nothing", {0, 2}, {0, 2}, {0}, {kFar}, {0}, {1}},
      {"one place", {15, 4}, {1, 4}, {14}, {15}, {0}, {1}},
  };
  for (const Cut& cut : kCuts) {
    const InputCase starts = known(cut.starts), ends = known(cut.ends), axes = known(cut.axes),
                    steps = known(cut.steps);
    cases.push_back({.name = "slice " + std::string(cut.name),
                     .op = ops::Slice(),
                     .inputs = {floats(cut.lengths), starts, ends, axes, steps}});
    const std::vector<double> lengths(cut.lengths.begin(), cut.lengths.end());
    cases.push_back({.name = "slice_gradient " + std::string(cut.name),
                     .op = ops::SliceGradient(),
                     .inputs = {floats(cut.made), known(lengths), starts, ends, axes, steps}});
  }
}

}  // namespace

OpCases slice_cases() {
  const InputCase square = floats_of({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  OpCases cases = {
      {.name = "slice stated",
       .op = ops::Slice(),
       .inputs = {square, known({0, 2}), known({2, -4}), known({0, 1}), known({1, -2})},
       .expected = {{3, 1, 6, 4}},
       .expected_gradient = {1, 0, 1, 1, 0, 1, 0, 0, 0}},
      {.name = "slice of the first axes",
       .op = ops::Slice(),
       .inputs = {square, known({1}), known({3})},
       .expected = {{4, 5, 6, 7, 8, 9}}},
      {.name = "slice without axes, with steps",
       .op = ops::Slice(),
       .inputs = {square, known({0}), known({3}), absent(), known({2})},
       .expected = {{1, 2, 3, 7, 8, 9}}},
      {.name = "slice of ints",
       .op = ops::Slice(),
       .inputs = {given(DType::Int64, {4}, {5, 6, 7, 8}), known({-3}), known({-1})},
       .expected = {{6, 7}}},
      {.name = "slice by int32",
       .op = ops::Slice(),
       .inputs = {square, known(DType::Int32, {1}, {2}), known(DType::Int32, {1}, {3}), known(DType::Int32, {1}, {1})},
       .expected = {{3, 6, 9}}},
      {.name = "slice_gradient stated",
       .op = ops::SliceGradient(),
       .inputs = {floats_of({2}, {7, 9}), known({5}), known({1}), known({5}), known({0}), known({2})},
       .expected = {{0, 7, 0, 9, 0}}},
  };
  add_cuts(cases);
  return cases;
}

}  // namespace causeway::tests
