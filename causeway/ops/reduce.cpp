#include "causeway/ops/reduce.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

void check_dtype(const Type& x, ReduceKind kind) {
  if (kind == ReduceKind::Mean || kind == ReduceKind::LogSumExp) {
    floating(x);
  } else if (x.dtype != DType::Bool || (kind != ReduceKind::Max && kind != ReduceKind::Min)) {
    numeric(x);
  }
}

/// The sum or product of a list of lengths.
std::optional<std::vector<Dim>> total_of(const Type& x, ReduceKind kind) {
  const std::optional<std::vector<Dim>> dims = dims_of(x);
  if (!dims || (kind != ReduceKind::Sum && kind != ReduceKind::Prod)) return std::nullopt;
  Dim total = kind == ReduceKind::Sum ? 0 : 1;
  for (const Dim& dim : *dims) total = kind == ReduceKind::Sum ? total + dim : total * dim;
  return std::vector<Dim>{total};
}

/// To each of the largest or smallest its share of dy.
Value to_ties(Value x, Value y, Value dy, const std::vector<int64_t>& axes) {
  const Value tied = equal(x, y);
  const Value count = reduce_sum(cast(tied, x.dtype()), axes, true);
  return where(tied, div(dy, count), 0.0);
}

/// dy times the product of the others: y / x where nothing is 0; where one x is, that one alone gets the product of
/// the rest; where two are, none gets any.
Value to_factors(Value x, Value dy, const std::vector<int64_t>& axes) {
  const Value zero = equal(x, 0.0);
  const Value product = reduce(where(zero, 1.0, x), ReduceKind::Prod, axes, true);
  const Value zeros = reduce_sum(cast(zero, x.dtype()), axes, true);
  const Value others =
      where(zero, where(equal(zeros, 1.0), product, 0.0), where(equal(zeros, 0.0), div(product, x), 0.0));
  return mul(dy, others);
}

}  // namespace

Types Reduce::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  const Type& x = inputs[0];
  check_dtype(x, kind);
  if (!x.shape.has_rank()) {
    return {{x.dtype, axes.empty() && !keepdims ? Shape(std::vector<Dim>()) : Shape()}};
  }
  const std::vector<size_t> reduced = axes_or_all(axes, x.shape.rank());
  std::vector<Dim> dims;
  for (size_t axis = 0; axis < x.shape.rank(); ++axis) {
    const bool goes = std::binary_search(reduced.begin(), reduced.end(), axis);
    if (!goes) dims.push_back(x.shape[axis]);
    if (goes && keepdims) dims.emplace_back(1);
  }
  const bool of_a_list = x.shape.rank() == 1 && !reduced.empty();
  return {integers_type(x.dtype, std::move(dims), of_a_list ? total_of(x, kind) : std::nullopt)};
}

Values Reduce::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  std::vector<int64_t> reduced;
  for (const size_t axis : axes_or_all(axes, rank_of(x))) reduced.push_back(static_cast<int64_t>(axis));
  const auto kept = [&](Value value) { return keepdims || reduced.empty() ? value : unsqueeze(value, reduced); };
  const Value dy_kept = kept(dy[0]);
  switch (kind) {
    case ReduceKind::Sum:
      return {expand_like(dy_kept, x)};
    case ReduceKind::Mean:
      return {expand_like(div(dy_kept, cast(count_of(x, reduced), x.dtype())), x)};
    case ReduceKind::Max:
    case ReduceKind::Min:
      return {to_ties(x, kept(node.output()), dy_kept, reduced)};
    case ReduceKind::Prod:
      return {to_factors(x, dy_kept, reduced)};
    case ReduceKind::LogSumExp:
      return {mul(dy_kept, exp(sub(x, kept(node.output()))))};
  }
  return {};
}

std::optional<Turned> Reduce::turned(const Node&, const Axes& order) const {
  const Reduce reduced{.kind = kind, .axes = turned_axes(axes, order), .keepdims = keepdims};
  return Turned{reduced, {order}, {keepdims ? order : order_without(axes_or_all(axes, order.size()), order)}};
}

}  // namespace causeway::ops
