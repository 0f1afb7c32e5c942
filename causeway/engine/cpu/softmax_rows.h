#pragma once

#include <cstddef>

namespace causeway::engine::cpu {

/// Softmax of each of `rows` rows of `count` numbers, or its logarithm. `to` may be `from`.
void softmax_rows(const float* from, size_t rows, size_t count, bool logarithm, float* to);

}  // namespace causeway::engine::cpu
