#include <limits>

#include "causeway/ops/arithmetic.h"
#include "causeway/ops/where.h"
#include "tests/ops/case_list.h"
#include "tests/ops/over_shapes.h"

namespace causeway::tests {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

InputCase whole(std::vector<double> numbers, DType dtype = DType::Int64) {
  const int64_t count = static_cast<int64_t>(numbers.size());
  return given(dtype, {count}, std::move(numbers));
}
InputCase real(std::vector<double> numbers) {
  const int64_t count = static_cast<int64_t>(numbers.size());
  return floats_of({count}, std::move(numbers));
}

}  // namespace

OpCases arithmetic_cases() {
  OpCases cases = {
      {.name = "add int64",
       .op = ops::Add(),
       .inputs = {whole({1, -2, 3}), whole({5, 7, -9})},
       .expected = {{6, 5, -6}}},
      {.name = "add wraps uint8",
       .op = ops::Add(),
       .inputs = {whole({200, 1}, DType::UInt8), whole({100, 2}, DType::UInt8)},
       .expected = {{44, 3}}},
      {.name = "sub wraps int32",
       .op = ops::Sub(),
       .inputs = {whole({-2147483648.0, 1}, DType::Int32), whole({1, 2}, DType::Int32)},
       .expected = {{2147483647, -1}}},
      {.name = "mul int32",
       .op = ops::Mul(),
       .inputs = {whole({3, -4, 65536}, DType::Int32), whole({5, 6, 65536}, DType::Int32)},
       .expected = {{15, -24, 0}}},
      {.name = "div cuts towards zero",
       .op = ops::Div(),
       .inputs = {whole({7, -7, 7, -7}), whole({2, 2, -2, -2})},
       .expected = {{3, -3, -3, 3}}},
      {.name = "div by zero of floats",
       .op = ops::Div(),
       .inputs = {real({1, -1, 0}), real({0, 0, 0})},
       .expected = {{kInf, -kInf, kNaN}},
       .check_gradient = false},
      {.name = "mod follows the divisor",
       .op = ops::Mod(),
       .inputs = {whole({7, -7, 7, -7, 6}), whole({3, 3, -3, -3, 3})},
       .expected = {{1, 2, -2, -1, 0}}},
      {.name = "fmod follows the dividend",
       .op = ops::Mod{.fmod = true},
       .inputs = {whole({7, -7, 7, -7}), whole({3, 3, -3, -3})},
       .expected = {{1, -1, 1, -1}}},
      {.name = "fmod of floats",
       .op = ops::Mod{.fmod = true},
       .inputs = {real({5.5, -5.5}), real({2, 2})},
       .expected = {{1.5, -1.5}},
       .no_gradient_to = {1}},
      {.name = "max of ints", .op = ops::Max(), .inputs = {whole({1, 5}), whole({3, 2})}, .expected = {{3, 5}}},
      {.name = "max: nan wins",
       .op = ops::Max(),
       .inputs = {real({kNaN, 1, kNaN, -kInf}), real({1, kNaN, kNaN, 2})},
       .expected = {{kNaN, kNaN, kNaN, 2}},
       .check_gradient = false},
      {.name = "min: nan wins",
       .op = ops::Min(),
       .inputs = {real({kNaN, 1, kInf}), real({1, kNaN, 2})},
       .expected = {{kNaN, kNaN, 2}},
       .check_gradient = false},
      {.name = "pow of ints",
       .op = ops::Pow(),
       .inputs = {whole({2, -3, 5, 0}), whole({10, 3, 0, 0})},
       .expected = {{1024, -27, 1, 1}}},
      {.name = "pow by another dtype",
       .op = ops::Pow(),
       .inputs = {real({2, 9, 4}), whole({3, 0, -1})},
       .bound = kFunction,
       .expected = {{8, 1, 0.25}}},
      {.name = "pow of a negative",
       .op = ops::Pow(),
       .inputs = {floats({5}, -3, -1), known(DType::Float32, {}, {3})},
       .bound = kFunction},
      // The product is exact in double, and what is left of it by c is lost when it is rounded first.
      {.name = "fma rounds once",
       .op = ops::Fma(),
       .inputs = {real({1 + 0x1p-12}), real({1 + 0x1p-12}), real({-1 - 0x1p-11})},
       .expected = {{0x1p-24}},
       .check_gradient = false},
      {.name = "fma broadcast",
       .op = ops::Fma(),
       .inputs = {floats({3, 1}), floats({1, 17}), floats({17})},
       .bound = {.relative = 4 * kRounding, .absolute = 8 * kRounding}},
      {.name = "where",
       .op = ops::Where(),
       .inputs = {given(DType::Bool, {3}, {1, 0, 1}), real({1, 2, 3}), real({4, 5, 6})},
       .expected = {{1, 5, 3}}},
      {.name = "where broadcast",
       .op = ops::Where(),
       .inputs = {drawn(DType::Bool, {2, 1, 3}, 0, 2), floats({5, 1}), floats({})}},
      {.name = "where of ints",
       .op = ops::Where(),
       .inputs = {drawn(DType::Bool, {17}, 0, 2), drawn(DType::Int64, {17}, -9, 9), drawn(DType::Int64, {1}, -9, 9)}},
      {.name = "where of truths",
       .op = ops::Where(),
       .inputs = {drawn(DType::Bool, {5}, 0, 2), drawn(DType::Bool, {5}, 0, 2), drawn(DType::Bool, {5}, 0, 2)}},
      {.name = "where of nothing",
       .op = ops::Where(),
       .inputs = {drawn(DType::Bool, {0}, 0, 2), floats({0}), floats({1})}},
  };
  over_shapes(cases, "add", ops::Add(), floats({}), floats({}), kOneRounding);
  over_shapes(cases, "sub", ops::Sub(), floats({}), floats({}), kOneRounding);
  over_shapes(cases, "mul", ops::Mul(), floats({}), floats({}), kOneRounding);
  over_shapes(cases, "div", ops::Div(), floats({}), floats({}, 0.5, 3), kOneRounding);
  over_shapes(cases, "pow", ops::Pow(), floats({}, 0.2, 3), floats({}, -2, 3), kFunction);
  over_shapes(cases, "mod", ops::Mod{.fmod = true}, floats({}, 0.1, 0.9), floats({}, 1, 2), kOneRounding, {1});
  over_shapes(cases, "max", ops::Max(), floats({}), floats({}), kEqualBits);
  over_shapes(cases, "min", ops::Min(), floats({}), floats({}), kEqualBits);
  return cases;
}

}  // namespace causeway::tests
