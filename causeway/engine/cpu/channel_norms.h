#pragma once

#include <cstddef>

namespace causeway::engine::cpu {

/// A batch normalization by the batch's own statistics, as ops::BatchNormTraining says, of dense numbers
/// [outer, channels, inner]. A null weight is 1, a null bias 0.
struct ChannelNorms {
  size_t outer = 0, channels = 0, inner = 0;
  float epsilon = 0;
  const float* x = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
};

/// Channels first … first + count - 1 alone, as below. How many are best worked together:
inline constexpr size_t kChannelsTogether = 64;
void normalize_channels(const ChannelNorms& norms, size_t first, size_t count, float* y, float* mean, float* variance);
/// As ops::BatchNormGradient says; `mean` and `variance` are of all channels, as are dweight and dbias. A null dx is not
/// asked for.
void channel_norms_gradient(const ChannelNorms& norms, size_t first, size_t count, const float* dy, const float* mean,
                            const float* variance, float* dx, float* dweight, float* dbias);

}  // namespace causeway::engine::cpu
