#include "causeway/ops/constant_of_shape.h"
#include "causeway/ops/expand.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/range.h"
#include "causeway/ops/reshape.h"
#include "causeway/ops/shape_of.h"
#include "causeway/ops/squeeze.h"
#include "causeway/ops/tile.h"
#include "causeway/ops/transpose.h"
#include "causeway/ops/unsqueeze.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

/// The same numbers in order under other lengths.
OpCases under_other_lengths() {
  return {
      {.name = "reshape", .op = ops::Reshape(), .inputs = {floats({2, 3, 4}), known({0, -1})}},
      {.name = "reshape to a scalar", .op = ops::Reshape(), .inputs = {floats({1, 1}), known({})}},
      {.name = "reshape of a scalar", .op = ops::Reshape(), .inputs = {floats({}), known({1, 1})}},
      {.name = "reshape of none", .op = ops::Reshape(), .inputs = {floats({0, 3}), known({0, 3, 1})}},
      {.name = "reshape to nothing", .op = ops::Reshape{.allow_zero = true}, .inputs = {floats({0, 3}), known({3, 0})}},
      {.name = "reshape of primes", .op = ops::Reshape(), .inputs = {floats({7, 5, 3}), known({15, 7})}},
      {.name = "reshape of ints",
       .op = ops::Reshape(),
       .inputs = {given(DType::Int64, {4}, {1, 2, 3, 4}), known({2, -1})},
       .expected = {{1, 2, 3, 4}}},
      {.name = "flatten", .op = ops::Flatten(), .inputs = {floats({3, 5, 7})}},
      {.name = "flatten to one row", .op = ops::Flatten{.axis = 0}, .inputs = {floats({3, 5})}},
      {.name = "flatten to one column", .op = ops::Flatten{.axis = 2}, .inputs = {floats({3, 5})}},
      {.name = "flatten from the end", .op = ops::Flatten{.axis = -1}, .inputs = {floats({2, 3, 17})}},
      {.name = "flatten of no rows", .op = ops::Flatten(), .inputs = {floats({0, 5, 7})}},
      {.name = "squeeze", .op = ops::Squeeze{.axes = {1, -1}}, .inputs = {floats({3, 1, 5, 1})}},
      {.name = "squeeze to a scalar", .op = ops::Squeeze{.axes = {0}}, .inputs = {floats({1})}},
      {.name = "unsqueeze", .op = ops::Unsqueeze{.axes = {0, -1}}, .inputs = {floats({3, 5})}},
      {.name = "unsqueeze of a scalar", .op = ops::Unsqueeze{.axes = {0}}, .inputs = {floats({})}},
      {.name = "unsqueeze of none", .op = ops::Unsqueeze{.axes = {1}}, .inputs = {floats({0, 5})}},
  };
}

OpCases transposes() {
  return {
      {.name = "transpose stated",
       .op = ops::Transpose{.axes = {1, 0}},
       .inputs = {floats_of({2, 3}, {1, 2, 3, 4, 5, 6})},
       .expected = {{1, 4, 2, 5, 3, 6}}},
      {.name = "transpose backwards", .op = ops::Transpose(), .inputs = {floats({2, 3, 5})}},
      {.name = "transpose of places and channels",
       .op = ops::Transpose{.axes = {0, 3, 1, 2}},
       .inputs = {floats({2, 5, 7, 3})}},
      {.name = "transpose just off a vector", .op = ops::Transpose{.axes = {1, 0}}, .inputs = {floats({17, 15})}},
      {.name = "transpose of many", .op = ops::Transpose{.axes = {2, 0, 1}}, .inputs = {floats({33, 9, 31})}},
      {.name = "transpose of inner axes", .op = ops::Transpose{.axes = {0, 2, 1, 3}}, .inputs = {floats({2, 3, 5, 4})}},
      {.name = "transpose of nothing", .op = ops::Transpose{.axes = {1, 0}}, .inputs = {floats({0, 3})}},
      {.name = "transpose of a scalar", .op = ops::Transpose(), .inputs = {floats({})}},
      {.name = "transpose as it stands", .op = ops::Transpose{.axes = {0, 1}}, .inputs = {floats({3, 5})}},
      {.name = "transpose of ints",
       .op = ops::Transpose(),
       .inputs = {given(DType::Int64, {1, 2}, {3, 4})},
       .expected = {{3, 4}}},
  };
}

OpCases spreads() {
  return {
      {.name = "expand", .op = ops::Expand(), .inputs = {floats({3, 1}), known({2, 1, 17})}, .bound = kEqualBits},
      {.name = "expand keeps its own lengths", .op = ops::Expand(), .inputs = {floats({3, 5}), known({1})}},
      {.name = "expand of a scalar", .op = ops::Expand(), .inputs = {floats({}), known({2, 3})}},
      {.name = "expand to nothing", .op = ops::Expand(), .inputs = {floats({1, 3}), known({0, 3})}},
      {.name = "expand of an inner axis", .op = ops::Expand(), .inputs = {floats({2, 1, 3}), known({2, 9, 3})}},
      {.name = "tile stated",
       .op = ops::Tile(),
       .inputs = {floats_of({1, 2}, {1, 2}), known({2, 2})},
       .expected = {{1, 2, 1, 2, 1, 2, 1, 2}},
       .expected_gradient = {4, 4}},
      {.name = "tile of three axes", .op = ops::Tile(), .inputs = {floats({2, 3, 5}), known({3, 1, 2})}},
      {.name = "tile to nothing", .op = ops::Tile(), .inputs = {floats({2, 3}), known({0, 2})}},
      {.name = "tile once", .op = ops::Tile(), .inputs = {floats({7}), known({1})}},
      {.name = "tile of a scalar", .op = ops::Tile(), .inputs = {floats({}), known({})}},
      {.name = "tile just off a vector", .op = ops::Tile(), .inputs = {floats({3, 17}), known({1, 3})}},
  };
}

OpCases made_of_lengths() {
  return {
      {.name = "shape_of", .op = ops::ShapeOf(), .inputs = {floats({2, 0, 5})}, .expected = {{2, 0, 5}}},
      {.name = "shape_of some",
       .op = ops::ShapeOf{.start = 1, .end = -1},
       .inputs = {floats({2, 3, 5})},
       .expected = {{3}}},
      {.name = "shape_of a scalar", .op = ops::ShapeOf(), .inputs = {floats({})}, .expected = {{}}},
      {.name = "constant_of_shape",
       .op = ops::ConstantOfShape{.value = 2.5},
       .inputs = {known({2, 3})},
       .expected = {{2.5, 2.5, 2.5, 2.5, 2.5, 2.5}}},
      {.name = "constant_of_shape of ints",
       .op = ops::ConstantOfShape{.value = -7, .dtype = DType::Int64},
       .inputs = {known({3})},
       .expected = {{-7, -7, -7}}},
      {.name = "constant_of_shape of truths",
       .op = ops::ConstantOfShape{.value = 1, .dtype = DType::Bool},
       .inputs = {known({2})},
       .expected = {{1, 1}}},
      {.name = "constant_of_shape of nothing", .op = ops::ConstantOfShape(), .inputs = {known({0, 3})}},
      {.name = "constant_of_shape of a scalar",
       .op = ops::ConstantOfShape{.value = 3},
       .inputs = {known({})},
       .expected = {{3}}},
      {.name = "range",
       .op = ops::Range(),
       .inputs = {known(DType::Int64, {}, {1}), known(DType::Int64, {}, {8}), known(DType::Int64, {}, {3})},
       .expected = {{1, 4, 7}}},
      {.name = "range down",
       .op = ops::Range(),
       .inputs = {known(DType::Int64, {}, {5}), known(DType::Int64, {}, {-1}), known(DType::Int64, {}, {-2})},
       .expected = {{5, 3, 1}}},
      {.name = "range of none",
       .op = ops::Range(),
       .inputs = {known(DType::Int64, {}, {5}), known(DType::Int64, {}, {1}), known(DType::Int64, {}, {2})},
       .expected = {{}}},
      {.name = "range of floats",
       .op = ops::Range(),
       .inputs = {known(DType::Float32, {}, {0.5}), known(DType::Float32, {}, {2}), known(DType::Float32, {}, {0.5})},
       .expected = {{0.5, 1, 1.5}}},
  };
}

}  // namespace

OpCases shaping_cases() {
  OpCases cases;
  for (const auto& family : {under_other_lengths(), transposes(), spreads(), made_of_lengths()}) {
    cases.insert(cases.end(), family.begin(), family.end());
  }
  return cases;
}

}  // namespace causeway::tests
