#include <limits>

#include "causeway/ops/comparison.h"
#include "causeway/ops/logic.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {

OpCases comparison_cases() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const InputCase a = floats_of({5}, {1, 2, 3, kNaN, -0.0}), b = floats_of({5}, {1, 3, 2, kNaN, 0.0});
  const InputCase p = given(DType::Bool, {4}, {0, 0, 1, 1}), q = given(DType::Bool, {4}, {0, 1, 0, 1});
  OpCases cases = {
      {.name = "equal", .op = ops::Equal(), .inputs = {a, b}, .expected = {{1, 0, 0, 0, 1}}},
      {.name = "less", .op = ops::Less(), .inputs = {a, b}, .expected = {{0, 1, 0, 0, 0}}},
      {.name = "less or equal", .op = ops::LessOrEqual(), .inputs = {a, b}, .expected = {{1, 1, 0, 0, 1}}},
      {.name = "greater", .op = ops::Greater(), .inputs = {a, b}, .expected = {{0, 0, 1, 0, 0}}},
      {.name = "greater or equal", .op = ops::GreaterOrEqual(), .inputs = {a, b}, .expected = {{1, 0, 1, 0, 1}}},
      {.name = "equal of truths", .op = ops::Equal(), .inputs = {p, q}, .expected = {{1, 0, 0, 1}}},
      {.name = "and", .op = ops::And(), .inputs = {p, q}, .expected = {{0, 0, 0, 1}}},
      {.name = "or", .op = ops::Or(), .inputs = {p, q}, .expected = {{0, 1, 1, 1}}},
      {.name = "xor", .op = ops::Xor(), .inputs = {p, q}, .expected = {{0, 1, 1, 0}}},
      {.name = "not", .op = ops::Not(), .inputs = {p}, .expected = {{1, 1, 0, 0}}},
      {.name = "is nan", .op = ops::IsNaN(), .inputs = {a}, .expected = {{0, 0, 0, 1, 0}}},
      {.name = "not of nothing", .op = ops::Not(), .inputs = {drawn(DType::Bool, {0}, 0, 2)}},
      {.name = "is nan of a scalar", .op = ops::IsNaN(), .inputs = {floats({})}},
  };
  const std::pair<const char*, Op> kCompares[] = {{"equal", ops::Equal()},
                                                  {"less", ops::Less()},
                                                  {"less or equal", ops::LessOrEqual()},
                                                  {"greater", ops::Greater()},
                                                  {"greater or equal", ops::GreaterOrEqual()}};
  for (const auto& [name, op] : kCompares) {
    for (const DType dtype : {DType::Float32, DType::Int64, DType::Int32}) {
      const std::string of = std::string(name) + " " + std::string(name_of(dtype)) + " ";
      cases.push_back({.name = of + "17", .op = op, .inputs = {drawn(dtype, {17}, -2, 2), drawn(dtype, {17}, -2, 2)}});
      cases.push_back({.name = of + "broadcast",
                       .op = op,
                       .inputs = {drawn(dtype, {2, 1, 7}, -2, 2), drawn(dtype, {3, 1}, -2, 2)}});
      cases.push_back(
          {.name = of + "nothing", .op = op, .inputs = {drawn(dtype, {0, 3}, 0, 2), drawn(dtype, {}, 0, 2)}});
    }
  }
  const std::pair<const char*, Op> kTruths[] = {{"and", ops::And()}, {"or", ops::Or()}, {"xor", ops::Xor()}};
  for (const auto& [name, op] : kTruths) {
    cases.push_back({.name = std::string(name) + " broadcast",
                     .op = op,
                     .inputs = {drawn(DType::Bool, {3, 1}, 0, 2), drawn(DType::Bool, {17}, 0, 2)}});
  }
  return cases;
}

}  // namespace causeway::tests
