#pragma once

#include <string>
#include <utility>
#include <vector>

#include "causeway/tensor/shape.h"
#include "tests/ops/op_case.h"

namespace causeway::tests {

/// One operand over shapes: a scalar, one, nothing, primes, and lengths just off the width of a vector.
inline void over_shapes(OpCases& cases, const std::string& name, const Op& op, const InputCase& x, Bound bound) {
  const std::vector<int64_t> kShapes[] = {{}, {1}, {0}, {3, 0, 2}, {7}, {15}, {17}, {2, 3, 5}, {31}, {33}};
  for (const std::vector<int64_t>& lengths : kShapes) {
    InputCase input = x;
    input.lengths = lengths;
    cases.push_back({.name = name + " " + text_of(lengths), .op = op, .inputs = {input}, .bound = bound});
  }
}

/// Two operands, each from a range of its own, over pairs of shapes: equal, spread either way and both ways, scalars,
/// nothing, and lengths just off the width of a vector.
inline void over_shapes(OpCases& cases, const std::string& name, const Op& op, const InputCase& a, const InputCase& b,
                        Bound bound, const std::vector<size_t>& no_gradient_to = {}) {
  const std::pair<std::vector<int64_t>, std::vector<int64_t>> kShapes[] = {
      {{7}, {7}},       {{2, 3}, {3}},    {{3}, {2, 3}},    {{2, 1, 5}, {4, 1}}, {{}, {3}},
      {{1}, {1}},       {{0}, {0}},       {{2, 0}, {1}},    {{3, 17}, {3, 17}},  {{2, 15}, {2, 1}},
      {{1, 1, 31}, {}}, {{2, 3, 4}, {4}}, {{1, 9}, {8, 9}}, {{33}, {33}},
  };
  for (const auto& [a_lengths, b_lengths] : kShapes) {
    InputCase left = a, right = b;
    left.lengths = a_lengths, right.lengths = b_lengths;
    cases.push_back({.name = name + " " + text_of(a_lengths) + " " + text_of(b_lengths),
                     .op = op,
                     .inputs = {left, right},
                     .bound = bound,
                     .no_gradient_to = no_gradient_to});
  }
}

}  // namespace causeway::tests
