#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/walk.h"

namespace causeway::reference {
namespace {

/// One operand as a stack of matrices [rows, columns], read by strides; a rank of 1 counts as a row or a column.
struct Matrices {
  std::span<const int64_t> stack;
  int64_t rows = 1, columns = 1, row_stride = 0, column_stride = 0;
};

Matrices first_operand(std::span<const int64_t> lengths, bool transposed) {
  if (lengths.size() == 1) return {{}, 1, lengths[0], 0, 1};
  const int64_t rows = lengths[lengths.size() - 2], columns = lengths.back();
  const std::span<const int64_t> stack = lengths.first(lengths.size() - 2);
  if (transposed) return {stack, columns, rows, 1, columns};
  return {stack, rows, columns, columns, 1};
}

Matrices second_operand(std::span<const int64_t> lengths, bool transposed) {
  if (lengths.size() == 1) return {{}, lengths[0], 1, 1, 0};
  return first_operand(lengths, transposed);
}

/// Strides along the result's stack, in elements of the operand.
PerAxis stack_strides(const Matrices& of, std::span<const int64_t> stack) {
  PerAxis strides = broadcast_strides(of.stack, stack);
  for (size_t axis = 0; axis < strides.rank(); ++axis) strides[axis] *= of.rows * of.columns;
  return strides;
}

}  // namespace

void mat_mul(const ops::MatMul& op, Views inputs, Views outputs) {
  const TensorView& y = outputs[0];
  const Matrices a = first_operand(inputs[0].lengths, op.transpose_a);
  const Matrices b = second_operand(inputs[1].lengths, op.transpose_b);
  const size_t matrix_axes = (inputs[0].lengths.size() > 1) + (inputs[1].lengths.size() > 1);
  const std::span<const int64_t> stack = y.lengths.first(y.lengths.size() - matrix_axes);
  with_number(y.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(y.size());
    int64_t start = 0;
    for (Walk<2> at(PerAxis(stack), {stack_strides(a, stack), stack_strides(b, stack)}); at; ++at) {
      for (int64_t row = 0; row < a.rows; ++row, start += b.columns) {
        const T* left = read<T>(inputs[0]) + at[0] + row * a.row_stride;
        const T* right = read<T>(inputs[1]) + at[1];
        const auto take = [&](int64_t k, int64_t column) {
          totals.add(start + column, Totals<T>::product(wide(left[k * a.column_stride]),
                                                        wide(right[k * b.row_stride + column * b.column_stride])));
        };
        // Each total takes its terms in the order of k either way; numbers that lie together are read together.
        if (b.column_stride == 1) {
          for (int64_t k = 0; k < a.columns; ++k) {
            for (int64_t column = 0; column < b.columns; ++column) take(k, column);
          }
        } else {
          for (int64_t column = 0; column < b.columns; ++column) {
            for (int64_t k = 0; k < a.columns; ++k) take(k, column);
          }
        }
      }
    }
    totals.store(y);
  });
}

}  // namespace causeway::reference
