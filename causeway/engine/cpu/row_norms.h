#pragma once

#include <cstddef>

namespace causeway::engine::cpu {

/// A normalization of dense rows of `count` numbers, as ops::LayerNorm says. A null weight is 1, a null bias 0.
struct RowNorms {
  size_t rows = 0, count = 0;
  float epsilon = 0;
  bool rms = false;
  const float* x = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
};

/// `y` may be x.
void normalize_rows(const RowNorms& norms, float* y);
/// As ops::LayerNormGradient says, over these rows. `dx` may be dy; null: not asked for, as the others, which are
/// asked for together.
void row_norms_gradient(const RowNorms& norms, const float* dy, float* dx, float* dweight, float* dbias);

}  // namespace causeway::engine::cpu
