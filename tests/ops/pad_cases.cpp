#include "causeway/ops/pad.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

using ops::Pad;
using ops::PadGradient;
using ops::PadMode;

/// Each as a Pad in every mode and, from what it makes, as its gradient.
void add_pads(OpCases& cases) {
  struct Pads {
    const char* name;
    std::vector<int64_t> lengths, made;
    std::vector<double> pads;
  };
  const Pads kPads[] = {
      {"of one axis", {7}, {12}, {2, 3}},
      {"of places", {2, 5, 3}, {2, 8, 3}, {0, 1, 0, 0, 2, 0}},
      {"of two axes", {3, 4, 5}, {3, 7, 6}, {0, 1, 1, 0, 2, 0}},
      {"just off a vector", {1, 17}, {1, 31}, {0, 7, 0, 7}},
      {"by nothing", {3, 2}, {3, 2}, {0, 0, 0, 0}},
      {"that crops", {5, 7}, {5, 4}, {0, -1, 0, -2}},
      {"that crops and adds", {5, 7}, {5, 7}, {0, -2, 0, 2}},
      {"of no rows", {0, 3}, {0, 5}, {0, 1, 0, 1}},
  };
  for (const Pads& one : kPads) {
    for (const PadMode mode : {PadMode::Constant, PadMode::Reflect, PadMode::Edge, PadMode::Wrap}) {
      const std::string in = " " + std::string(words_of(mode)[static_cast<size_t>(mode)]) + " " + one.name;
      cases.push_back({.name = "pad" + in, .op = Pad{.mode = mode}, .inputs = {floats(one.lengths), known(one.pads)}});
      const std::vector<double> lengths(one.lengths.begin(), one.lengths.end());
      cases.push_back({.name = "pad_gradient" + in,
                       .op = PadGradient{.mode = mode},
                       .inputs = {floats(one.made), known(lengths), known(one.pads)},
                       .bound = kTotals});
    }
  }
}

}  // namespace

OpCases pad_cases() {
  const InputCase four = floats_of({4}, {1, 2, 3, 4}), by = known({2, 1});
  const InputCase rows = floats_of({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  OpCases cases = {
      {.name = "pad reflect stated",
       .op = Pad{.mode = PadMode::Reflect},
       .inputs = {four, by},
       .expected = {{3, 2, 1, 2, 3, 4, 3}},
       .expected_gradient = {1, 2, 3, 1}},
      {.name = "pad edge stated",
       .op = Pad{.mode = PadMode::Edge},
       .inputs = {four, by},
       .expected = {{1, 1, 1, 2, 3, 4, 4}},
       .expected_gradient = {3, 1, 1, 2}},
      {.name = "pad wrap stated",
       .op = Pad{.mode = PadMode::Wrap},
       .inputs = {four, by},
       .expected = {{3, 4, 1, 2, 3, 4, 1}},
       .expected_gradient = {2, 1, 2, 2}},
      {.name = "pad with a value",
       .op = Pad{},
       .inputs = {four, by, known(DType::Float32, {}, {0.5})},
       .expected = {{0.5, 0.5, 1, 2, 3, 4, 0.5}}},
      {.name = "pad crops and adds, stated",
       .op = Pad{},
       .inputs = {rows, known({0, -1, -1, 1})},
       .expected = {{1, 2, 3, 0, 5, 6, 7, 0}}},
      {.name = "pad reflect three by two and one",
       .op = Pad{.mode = PadMode::Reflect},
       .inputs = {floats_of({3}, {1, 2, 3}), by},
       .expected = {{3, 2, 1, 2, 3, 2}}},
      {.name = "pad of ints",
       .op = Pad{},
       .inputs = {given(DType::Int64, {2}, {1, 2}), known({1, 1}), known(DType::Int64, {}, {9})},
       .expected = {{9, 1, 2, 9}}},
  };
  add_pads(cases);
  return cases;
}

}  // namespace causeway::tests
