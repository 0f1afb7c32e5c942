#pragma once

#include <cstddef>

namespace causeway::engine::cpu {

/// Normalizations as ops::LayerNorm says, `count` of them, of numbers that lie in `along` lines: each has `inner` that
/// follow each other in every line, and the lines lie `line` numbers apart. A null weight is 1, a null bias 0.
struct SpreadNorms {
  size_t along = 1, count = 1, inner = 1, line = 1;
  float epsilon = 0;
  bool rms = false;
  const float* x = nullptr;
  /// [along, inner]
  const float* weight = nullptr;
  const float* bias = nullptr;

  /// Numbers of scratch memory either of the functions takes.
  size_t scratch() const { return 5 * count * inner; }
};

/// y lies as x does.
void normalize_spread(const SpreadNorms& norms, float* y, float* scratch);
/// As ops::LayerNormGradient says; dy and dx lie as x does. The others are [along, inner], and are added to. Null: not
/// asked for.
void spread_norms_gradient(const SpreadNorms& norms, const float* dy, float* dx, float* dweight, float* dbias,
                           float* scratch);

}  // namespace causeway::engine::cpu
