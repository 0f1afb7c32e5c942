#pragma once

#include <cstddef>
#include <limits>

#include "causeway/engine/cpu/elementwise.h"

namespace causeway::engine::cpu {

/// y(m, n) = between(low, sum over k of a(m, k) * b(k, n) + bias(n), high), row-major; or + y(m, n) as well.
struct Gemm {
  size_t rows = 0, inner = 0, columns = 0;
  /// a(m, k) lies at m * a_row + k, or, where a is transposed, at k * a_row + m.
  const float* a = nullptr;
  size_t a_row = 0;
  bool a_transposed = false;
  /// b(k, n) lies at k * b_row + n; or b is what pack() made, of `inner` rows, or of packed_rows, of which those from
  /// packed_first on are read.
  const float* b = nullptr;
  size_t b_row = 0;
  bool b_packed = false;
  size_t packed_first = 0, packed_rows = 0;
  /// May be null.
  const float* bias = nullptr;
  /// Whether the sums are added to what y holds, or to other numbers that lie as y's do.
  bool adds = false;
  const float* added = nullptr;
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  /// What becomes of each number at last, where it is not null: a step of one operand.
  Elementwise after = nullptr;
  StepSettings after_settings = {};
  float* y = nullptr;
  size_t y_row = 0;
};

/// Each sum is taken in an order that depends on the inner length and on nothing else of the other operands.
/// `scratch` holds gemm_scratch(inner, columns) numbers where b is not packed.
void gemm(const Gemm& product, float* scratch);
/// What the last columns of a matrix take, which are packed where they do not fill a vector.
size_t gemm_scratch(size_t inner);

/// A matrix in the order the product reads it: panels of some vectors' columns, row by row, noughts behind the last
/// column. b(k, n) lies at k * b_row + n * b_column.
size_t packed_size(size_t inner, size_t columns);
void pack(const float* b, size_t b_row, size_t b_column, size_t inner, size_t columns, float* to);
/// Makes row k of what pack() made of a matrix noughts.
void clear_packed_row(size_t k, size_t inner, size_t columns, float* packed);

/// y(m) = between(low, sum over k of a(m, k) * b(k) + bias, high): a product of one column.
struct Dots {
  size_t rows = 0, inner = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float bias = 0;
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  float* y = nullptr;
};
void dots(const Dots& product);

}  // namespace causeway::engine::cpu
