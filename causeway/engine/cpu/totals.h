#pragma once

#include <cstddef>
#include <cstdint>

namespace causeway::engine::cpu {

enum class Total : uint8_t { Sum, Max, Min };

/// to[i] = total of the `count` numbers of row i, for `rows` rows that follow each other.
void row_totals(Total total, const float* from, size_t rows, size_t count, float* to);
/// to[j] = total over i of from[i * columns + j].
void column_totals(Total total, const float* from, size_t rows, size_t columns, float* to);

/// Every order of sums here depends on the lengths alone. A largest or smallest is NaN where one number is.
double sum_of_squares(const float* from, size_t count);

}  // namespace causeway::engine::cpu
