#include "causeway/ops/mat_mul.h"

#include "causeway/ops/build.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

struct Operand {
  Shape batch;
  Dim rows = 1, columns = 1;
};

/// An operand's matrices, as they are multiplied; rank 1 is a row or a column.
Operand taken_apart(const Shape& shape, bool transposed, bool is_first) {
  const size_t rank = shape.rank();
  if (rank == 0) unfit("an operand is a scalar, and a product of matrices has rank 1 or more.");
  if (rank == 1) {
    if (transposed) unfit("an operand of rank 1 is to be transposed.");
    return is_first ? Operand{std::vector<Dim>(), 1, shape[0]} : Operand{std::vector<Dim>(), shape[0], 1};
  }
  Operand operand{std::vector<Dim>(shape.dims->begin(), shape.dims->end() - 2), shape[rank - 2], shape[rank - 1]};
  if (transposed) std::swap(operand.rows, operand.columns);
  return operand;
}

}  // namespace

Types MatMul::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type first = numeric({common_dtype(inputs), {}}, "its first operand");
  const Shape &a = inputs[0].shape, &b = inputs[1].shape;
  if (!a.has_rank() || !b.has_rank()) return {first};
  const Operand left = taken_apart(a, transpose_a, true), right = taken_apart(b, transpose_b, false);
  if (left.columns.equals(right.rows) == std::optional(false)) {
    unfit("the operands are " + a.text() + (transpose_a ? " transposed" : "") + " and " + b.text() +
          (transpose_b ? " transposed" : "") + ", and " + left.columns.text() + " columns meet " + right.rows.text() +
          " rows.");
  }
  std::vector<Dim> dims = *broadcast(left.batch, right.batch).dims;
  if (a.rank() > 1) dims.push_back(left.rows);
  if (b.rank() > 1) dims.push_back(right.columns);
  return {{first.dtype, std::move(dims)}};
}

Values MatMul::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  Value a = node.input(0), b = node.input(1), d = dy[0];
  const size_t rank_a = rank_of(a), rank_b = rank_of(b);
  if (rank_b == 1) {
    b = unsqueeze(b, {1});
    d = unsqueeze(d, {-1});
  }
  if (rank_a == 1) {
    a = unsqueeze(a, {0});
    d = unsqueeze(d, {-2});
  }
  Value to_a = transpose_a ? matmul(b, d, transpose_b, true) : matmul(d, b, false, !transpose_b);
  // A matrix that many rows were multiplied by: one product over all of them, rather than a sum of products.
  if (rank_b <= 2 && rank_a > 2 && !transpose_a) {
    const auto as_rows = [&](Value value) { return graph.add1(Flatten{.axis = -1}, {value}); };
    a = as_rows(a);
    d = as_rows(d);
  }
  Value to_b = transpose_b ? matmul(d, a, true, transpose_a) : matmul(a, d, !transpose_a, false);
  if (rank_b == 1) to_b = squeeze(to_b, {-1});
  if (rank_a == 1) to_a = squeeze(to_a, {-2});
  return {to_input(node, 0, to_a), to_input(node, 1, to_b)};
}

std::optional<Turned> MatMul::turned(const Node&, const Axes& axes) const {
  // A matrix that stands the other way round.
  const size_t rank = axes.size();
  if (rank < 2) return std::nullopt;
  Axes other_way = axes_or_all({}, rank);
  std::swap(other_way[rank - 1], other_way[rank - 2]);
  if (axes != other_way) return std::nullopt;
  return Turned{MatMul{.transpose_a = !transpose_a, .transpose_b = transpose_b}, {axes, {}}, {{}}};
}

}  // namespace causeway::ops
