#pragma once

// Ops written as formulas, for gradient rules, layers, losses and optimizers: each function adds one node, or the few
// that its comment names, to the graph of its operands, under the scope that is open there.

#include <cstdint>
#include <optional>
#include <vector>

#include "causeway/graph/graph.h"
#include "causeway/ops/reduce.h"

namespace causeway::ops {

// Two operands, broadcast both ways.
Value add(Value a, Value b);
Value sub(Value a, Value b);
Value mul(Value a, Value b);
Value div(Value a, Value b);
Value pow(Value a, Value b);
Value max(Value a, Value b);
Value min(Value a, Value b);
/// a * b + c, rounded once.
Value fma(Value a, Value b, Value c);
Value equal(Value a, Value b);
Value less(Value a, Value b);
Value less_or_equal(Value a, Value b);
Value greater(Value a, Value b);
Value greater_or_equal(Value a, Value b);
Value logical_and(Value a, Value b);
Value logical_or(Value a, Value b);
Value logical_not(Value x);
Value is_nan(Value x);
/// a where the condition holds, b elsewhere.
Value where(Value condition, Value a, Value b);

// One operand is a number, taken in the other's dtype.
/// x * factor.
Value scale(Value x, double factor);
/// x + term.
Value shifted(Value x, double term);
Value pow(Value x, double exponent);
Value max(Value x, double bound);
Value min(Value x, double bound);
Value equal(Value x, double number);
Value less(Value x, double number);
Value less_or_equal(Value x, double number);
Value greater(Value x, double number);
Value greater_or_equal(Value x, double number);
Value where(Value condition, Value a, double b);
Value where(Value condition, double a, Value b);
/// A scalar constant of the dtype of x; of float32 where that is not known.
Value number_like(Value x, double number);

// One operand.
Value neg(Value x);
Value abs(Value x);
Value reciprocal(Value x);
Value sqrt(Value x);
Value exp(Value x);
Value log(Value x);
Value sin(Value x);
Value cos(Value x);
Value erf(Value x);
Value sign(Value x);
Value floor(Value x);
Value tanh(Value x);
Value sigmoid(Value x);
Value relu(Value x);
Value softplus(Value x);
/// x * x.
Value square(Value x);
Value clip(Value x, std::optional<float> low, std::optional<float> high);
Value cast(Value x, DType to);
Value softmax(Value x, int64_t axis = -1);
Value log_softmax(Value x, int64_t axis = -1);

// Products and totals.
Value matmul(Value a, Value b, bool transpose_a = false, bool transpose_b = false);
Value reduce(Value x, ReduceKind kind, std::vector<int64_t> axes, bool keepdims = false);
Value reduce_sum(Value x, std::vector<int64_t> axes = {}, bool keepdims = false);
Value reduce_mean(Value x, std::vector<int64_t> axes = {}, bool keepdims = false);
Value reduce_max(Value x, std::vector<int64_t> axes = {}, bool keepdims = false);
/// The sum of the squares of all elements: a float64 scalar.
Value sum_squares(Value x);
/// x summed over what broadcasting spread from the shape of `like`; x itself where both shapes are known equal.
Value sum_to(Value x, Value like);

// Shapes and places.
/// The lengths of x, an int64 list; a constant where they are all numbers.
Value shape_of(Value x);
/// How many elements x has along those axes (none: all), as an int64 scalar; a constant where that is a number.
Value count_of(Value x, const std::vector<int64_t>& axes = {});
/// An int64 list constant.
Value integers(GraphBuilder& graph, std::vector<int64_t> numbers);
Value reshape(Value x, std::vector<int64_t> lengths);
Value reshape(Value x, Value lengths);
/// x under the lengths of `like`.
Value reshape_like(Value x, Value like);
Value transpose(Value x, std::vector<size_t> axes = {});
Value squeeze(Value x, std::vector<int64_t> axes = {});
Value unsqueeze(Value x, std::vector<int64_t> axes);
Value concat(Values parts, int64_t axis);
Values split(Value x, std::vector<int64_t> lengths, int64_t axis);
/// The places start … end - 1 along one axis, counted from the end where negative, every step-th of them.
Value slice(Value x, int64_t axis, int64_t start, int64_t end, int64_t step = 1);
/// The same, and one place at least: unfit() where there is none, now or when lengths are bound.
Value slice_some(Value x, int64_t axis, int64_t start, int64_t end, int64_t step = 1);
Value gather(Value x, Value indices, int64_t axis = 0);
Value expand(Value x, Value lengths);
/// x spread to the shape of `like`; x itself where the two shapes are known to be equal.
Value expand_like(Value x, Value like);
/// One number in every place of the shape of x, in its dtype.
Value full_like(Value x, double number);

}  // namespace causeway::ops
