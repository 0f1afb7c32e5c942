#include "causeway/ops/build.h"

#include <string>

#include "causeway/ops/op_list.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

Value one(Op op, Value x) { return x.graph().add1(std::move(op), {x}); }
Value two(Op op, Value a, Value b) { return a.graph().add1(std::move(op), {a, b}); }

/// A name for a constant list that differs where the numbers do: "2x3".
std::string name_of_list(const std::vector<int64_t>& numbers) {
  if (numbers.empty()) return "none";
  std::string name;
  for (const int64_t number : numbers) {
    if (!name.empty()) name += 'x';
    name += std::to_string(number);
    if (name.size() > 40) break;
  }
  return name;
}

bool same_shape(Value a, Value b) {
  return a.shape().has_rank() && a.shape() == b.shape() && [&] {
    for (const Dim& dim : *a.shape().dims) {
      if (dim.is_unknown()) return false;
    }
    return true;
  }();
}

}  // namespace

Value add(Value a, Value b) { return two(Add{}, a, b); }
Value sub(Value a, Value b) { return two(Sub{}, a, b); }
Value mul(Value a, Value b) { return two(Mul{}, a, b); }
Value div(Value a, Value b) { return two(Div{}, a, b); }
Value pow(Value a, Value b) { return two(Pow{}, a, b); }
Value max(Value a, Value b) { return two(Max{}, a, b); }
Value min(Value a, Value b) { return two(Min{}, a, b); }
Value fma(Value a, Value b, Value c) { return a.graph().add1(Fma{}, {a, b, c}); }
Value equal(Value a, Value b) { return two(Equal{}, a, b); }
Value less(Value a, Value b) { return two(Less{}, a, b); }
Value less_or_equal(Value a, Value b) { return two(LessOrEqual{}, a, b); }
Value greater(Value a, Value b) { return two(Greater{}, a, b); }
Value greater_or_equal(Value a, Value b) { return two(GreaterOrEqual{}, a, b); }
Value logical_and(Value a, Value b) { return two(And{}, a, b); }
Value logical_or(Value a, Value b) { return two(Or{}, a, b); }
Value logical_not(Value x) { return one(Not{}, x); }
Value is_nan(Value x) { return one(IsNaN{}, x); }
Value where(Value condition, Value a, Value b) { return a.graph().add1(Where{}, {condition, a, b}); }

Value number_like(Value x, double number) {
  const DType dtype = x.dtype() == DType::Unknown ? DType::Float32 : x.dtype();
  if (dtype == DType::Float32) return x.graph().scalar(static_cast<float>(number));
  return x.graph().constant(Tensor::scalar(number).converted(dtype),
                            text_of(number) + "_" + std::string(name_of(dtype)));
}

Value scale(Value x, double factor) { return mul(x, number_like(x, factor)); }
Value shifted(Value x, double term) { return add(x, number_like(x, term)); }
Value pow(Value x, double exponent) { return pow(x, number_like(x, exponent)); }
Value max(Value x, double bound) { return max(x, number_like(x, bound)); }
Value min(Value x, double bound) { return min(x, number_like(x, bound)); }
Value equal(Value x, double number) { return equal(x, number_like(x, number)); }
Value less(Value x, double number) { return less(x, number_like(x, number)); }
Value less_or_equal(Value x, double number) { return less_or_equal(x, number_like(x, number)); }
Value greater(Value x, double number) { return greater(x, number_like(x, number)); }
Value greater_or_equal(Value x, double number) { return greater_or_equal(x, number_like(x, number)); }
Value where(Value condition, Value a, double b) { return where(condition, a, number_like(a, b)); }
Value where(Value condition, double a, Value b) { return where(condition, number_like(b, a), b); }

Value neg(Value x) { return one(Neg{}, x); }
Value abs(Value x) { return one(Abs{}, x); }
Value reciprocal(Value x) { return one(Reciprocal{}, x); }
Value sqrt(Value x) { return one(Sqrt{}, x); }
Value exp(Value x) { return one(Exp{}, x); }
Value log(Value x) { return one(Log{}, x); }
Value sin(Value x) { return one(Sin{}, x); }
Value cos(Value x) { return one(Cos{}, x); }
Value erf(Value x) { return one(Erf{}, x); }
Value sign(Value x) { return one(Sign{}, x); }
Value floor(Value x) { return one(Floor{}, x); }
Value tanh(Value x) { return one(Tanh{}, x); }
Value sigmoid(Value x) { return one(Sigmoid{}, x); }
Value relu(Value x) { return one(Relu{}, x); }
Value softplus(Value x) { return one(Softplus{}, x); }
Value square(Value x) { return mul(x, x); }
Value clip(Value x, std::optional<float> low, std::optional<float> high) {
  return one(Clip{.low = low, .high = high}, x);
}
Value cast(Value x, DType to) { return x.dtype() == to ? x : one(Cast{.to = to}, x); }
Value softmax(Value x, int64_t axis) { return one(Softmax{.axis = axis}, x); }
Value log_softmax(Value x, int64_t axis) { return one(LogSoftmax{.axis = axis}, x); }

Value matmul(Value a, Value b, bool transpose_a, bool transpose_b) {
  return two(MatMul{.transpose_a = transpose_a, .transpose_b = transpose_b}, a, b);
}
Value reduce(Value x, ReduceKind kind, std::vector<int64_t> axes, bool keepdims) {
  return one(Reduce{.kind = kind, .axes = std::move(axes), .keepdims = keepdims}, x);
}
Value reduce_sum(Value x, std::vector<int64_t> axes, bool keepdims) {
  return reduce(x, ReduceKind::Sum, std::move(axes), keepdims);
}
Value reduce_mean(Value x, std::vector<int64_t> axes, bool keepdims) {
  return reduce(x, ReduceKind::Mean, std::move(axes), keepdims);
}
Value reduce_max(Value x, std::vector<int64_t> axes, bool keepdims) {
  return reduce(x, ReduceKind::Max, std::move(axes), keepdims);
}
Value sum_squares(Value x) { return one(SumSquares{}, x); }
Value sum_to(Value x, Value like) { return same_shape(x, like) ? x : two(SumTo{}, x, shape_of(like)); }

Value shape_of(Value x) { return x.shape().is_bound() ? integers(x.graph(), x.shape().lengths()) : one(ShapeOf{}, x); }

Value count_of(Value x, const std::vector<int64_t>& axes) {
  const std::vector<size_t> counted = axes_or_all(axes, rank_of(x));
  Dim count = 1;
  for (const size_t axis : counted) count = count * x.shape()[axis];
  if (count.is_number()) return x.graph().scalar(count.number());
  std::vector<int64_t> places(counted.begin(), counted.end());
  return reduce(gather(shape_of(x), integers(x.graph(), std::move(places))), ReduceKind::Prod, {0});
}

Value integers(GraphBuilder& graph, std::vector<int64_t> numbers) {
  const std::string name = name_of_list(numbers);
  return graph.constant(Tensor::of_integers(std::move(numbers)), name);
}

Value reshape(Value x, std::vector<int64_t> lengths) { return reshape(x, integers(x.graph(), std::move(lengths))); }
Value reshape(Value x, Value lengths) { return two(Reshape{}, x, lengths); }
Value reshape_like(Value x, Value like) {
  return same_shape(x, like) ? x : two(Reshape{.allow_zero = true}, x, shape_of(like));
}
Value transpose(Value x, std::vector<size_t> axes) { return one(Transpose{.axes = std::move(axes)}, x); }
Value squeeze(Value x, std::vector<int64_t> axes) { return one(Squeeze{.axes = std::move(axes)}, x); }
Value unsqueeze(Value x, std::vector<int64_t> axes) { return one(Unsqueeze{.axes = std::move(axes)}, x); }

Value concat(Values parts, int64_t axis) {
  GraphBuilder& graph = parts.at(0).graph();
  return graph.add1(Concat{.axis = axis}, std::move(parts));
}
Values split(Value x, std::vector<int64_t> lengths, int64_t axis) {
  return x.graph().add(Split{.axis = axis}, {x, integers(x.graph(), std::move(lengths))});
}
namespace {

Value sliced(const Slice& slice, Value x, int64_t axis, int64_t start, int64_t end, int64_t step) {
  GraphBuilder& graph = x.graph();
  return graph.add1(
      slice, {x, integers(graph, {start}), integers(graph, {end}), integers(graph, {axis}), integers(graph, {step})});
}

}  // namespace

Value slice(Value x, int64_t axis, int64_t start, int64_t end, int64_t step) {
  return sliced(Slice{}, x, axis, start, end, step);
}
Value slice_some(Value x, int64_t axis, int64_t start, int64_t end, int64_t step) {
  return sliced(Slice{.may_be_empty = false}, x, axis, start, end, step);
}
Value gather(Value x, Value indices, int64_t axis) { return two(Gather{.axis = axis}, x, indices); }
Value expand(Value x, Value lengths) { return two(Expand{}, x, lengths); }
Value expand_like(Value x, Value like) { return same_shape(x, like) ? x : expand(x, shape_of(like)); }

Value full_like(Value x, double number) {
  const DType dtype = x.dtype() == DType::Unknown ? DType::Float32 : x.dtype();
  return one(ConstantOfShape{.value = number, .dtype = dtype}, shape_of(x));
}

}  // namespace causeway::ops
