#pragma once

#include <cstddef>

namespace causeway::engine::cpu {

/// Softmax of each of `rows` rows of `count` numbers, or its logarithm. `to` may be `from`.
void softmax_rows(const float* from, size_t rows, size_t count, bool logarithm, float* to);
/// Of `width` columns of `count` numbers, the numbers of a column `step` apart.
void softmax_columns(const float* from, size_t count, size_t step, size_t width, bool logarithm, float* to);

}  // namespace causeway::engine::cpu
