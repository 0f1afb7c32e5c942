#include <limits>

#include "causeway/ops/cast.h"
#include "causeway/ops/elementary.h"
#include "causeway/ops/rounding.h"
#include "tests/ops/case_list.h"
#include "tests/ops/over_shapes.h"

namespace causeway::tests {
OpCases elementary_cases() {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  OpCases cases = {
      {.name = "neg of ints",
       .op = ops::Neg(),
       .inputs = {given(DType::Int32, {3}, {1, -2, -2147483648.0})},
       .expected = {{-1, 2, -2147483648.0}}},
      {.name = "abs of ints",
       .op = ops::Abs(),
       .inputs = {given(DType::Int64, {3}, {1, -2, 0})},
       .expected = {{1, 2, 0}}},
      {.name = "sign",
       .op = ops::Sign(),
       .inputs = {floats_of({4}, {-3, 0, 2, kNaN})},
       .expected = {{-1, 0, 1, kNaN}},
       .check_gradient = false},
      {.name = "sign of ints",
       .op = ops::Sign(),
       .inputs = {given(DType::Int64, {3}, {-3, 0, 2})},
       .expected = {{-1, 0, 1}}},
      {.name = "round half to even",
       .op = ops::Round(),
       .inputs = {floats_of({6}, {0.5, 1.5, 2.5, -0.5, -1.5, 2.7})},
       .expected = {{0, 2, 2, 0, -2, 3}},
       .check_gradient = false},
      {.name = "floor at whole numbers",
       .op = ops::Floor(),
       .inputs = {floats_of({3}, {-1, -1.5, 2})},
       .expected = {{-1, -2, 2}},
       .check_gradient = false},
      {.name = "ceil at whole numbers",
       .op = ops::Ceil(),
       .inputs = {floats_of({3}, {-1, -1.5, 2})},
       .expected = {{-1, -1, 2}},
       .check_gradient = false},
      {.name = "sqrt at its ends",
       .op = ops::Sqrt(),
       .inputs = {floats_of({3}, {0, -1, kInf})},
       .expected = {{0, kNaN, kInf}},
       .check_gradient = false},
      {.name = "log at its ends",
       .op = ops::Log(),
       .inputs = {floats_of({3}, {0, -1, kInf})},
       .expected = {{-kInf, kNaN, kInf}},
       .check_gradient = false},
      {.name = "exp at its ends",
       .op = ops::Exp(),
       .inputs = {floats_of({4}, {-kInf, kInf, 89, -200})},
       .expected = {{0, kInf, kInf, 0}},
       .check_gradient = false},
      {.name = "identity of ints", .op = ops::Identity(), .inputs = {drawn(DType::Int64, {5}, -9, 9)}},
      {.name = "identity of truths", .op = ops::Identity(), .inputs = {drawn(DType::Bool, {5}, 0, 2)}},

      {.name = "cast to int64 cuts and clamps",
       .op = ops::Cast{.to = DType::Int64},
       .inputs = {floats_of({4}, {1.9, -1.9, 3e9, 0.4})},
       .expected = {{1, -1, 3e9, 0}}},
      {.name = "cast to uint8 clamps",
       .op = ops::Cast{.to = DType::UInt8},
       .inputs = {floats_of({4}, {255.9, -1, 300, 7.5})},
       .expected = {{255, 0, 255, 7}}},
      {.name = "cast of ints wraps",
       .op = ops::Cast{.to = DType::UInt8},
       .inputs = {given(DType::Int64, {3}, {256, -1, 7})},
       .expected = {{0, 255, 7}}},
      {.name = "cast to bool",
       .op = ops::Cast{.to = DType::Bool},
       .inputs = {floats_of({4}, {0, -0.0, 0.1, kNaN})},
       .expected = {{0, 0, 1, 1}}},
      {.name = "cast of truths", .op = ops::Cast{.to = DType::Float32}, .inputs = {drawn(DType::Bool, {17}, 0, 2)}},
      {.name = "cast of int64", .op = ops::Cast{.to = DType::Float32}, .inputs = {drawn(DType::Int64, {17}, -99, 99)}},
      {.name = "cast of uint8", .op = ops::Cast{.to = DType::Float32}, .inputs = {drawn(DType::UInt8, {3, 5}, 0, 255)}},
      {.name = "cast to int32", .op = ops::Cast{.to = DType::Int32}, .inputs = {drawn(DType::Int64, {4}, -99, 99)}},
      {.name = "cast to float16",
       .op = ops::Cast{.to = DType::Float16},
       .inputs = {floats_of({3}, {1, 65519, 65520})},
       .expected = {{1, 65504, kInf}},
       .check_gradient = false},
      {.name = "cast to itself",
       .op = ops::Cast{.to = DType::Float32},
       .inputs = {floats({2, 3})},
       .float32_only = true},
      {.name = "cast to float64", .op = ops::Cast{.to = DType::Float64}, .inputs = {floats({7})}, .float32_only = true},
  };
  over_shapes(cases, "identity", ops::Identity(), floats({}), kEqualBits);
  over_shapes(cases, "neg", ops::Neg(), floats({}), kEqualBits);
  over_shapes(cases, "abs", ops::Abs(), floats({}).away_from({0}), kEqualBits);
  over_shapes(cases, "reciprocal", ops::Reciprocal(), floats({}, 0.5, 3), kOneRounding);
  over_shapes(cases, "sqrt", ops::Sqrt(), floats({}, 0.2, 4), kOneRounding);
  over_shapes(cases, "exp", ops::Exp(), floats({}, -10, 3), kFunction);
  over_shapes(cases, "log", ops::Log(), floats({}, 0.1, 10), kFunction);
  over_shapes(cases, "sin", ops::Sin(), floats({}, -10, 10), kFunction);
  over_shapes(cases, "cos", ops::Cos(), floats({}, -10, 10), kFunction);
  over_shapes(cases, "erf", ops::Erf(), floats({}, -4, 4), kFunction);
  over_shapes(cases, "sign", ops::Sign(), floats({}).away_from({0}), kEqualBits);
  const std::vector<double> whole = {-2, -1, 0, 1, 2}, halves = {-1.5, -0.5, 0.5, 1.5};
  over_shapes(cases, "floor", ops::Floor(), floats({}, -1.9, 1.9).away_from(whole), kEqualBits);
  over_shapes(cases, "ceil", ops::Ceil(), floats({}, -1.9, 1.9).away_from(whole), kEqualBits);
  over_shapes(cases, "round", ops::Round(), floats({}, -1.9, 1.9).away_from(halves), kEqualBits);
  return cases;
}

}  // namespace causeway::tests
