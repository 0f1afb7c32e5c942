#pragma once

#include <array>
#include <cstdint>

namespace causeway::engine::cpu {

/// Pooling over channels-last images of up to three place axes (an axis that is not there has length 1).
struct Pooling {
  using Places = std::array<int64_t, 3>;

  int64_t rows = 1, channels = 1;
  Places in = {1, 1, 1}, out = {1, 1, 1}, size = {1, 1, 1}, stride = {1, 1, 1}, dilation = {1, 1, 1}, before = {};
  /// For an average: cells of the border that count, behind the last of the input.
  Places counted_after = {};
  bool counts_border = false;

  /// Numbers of one image, before and after.
  int64_t in_size() const { return in[0] * in[1] * in[2] * channels; }
  int64_t out_size() const { return out[0] * out[1] * out[2] * channels; }
};

void max_pooled(const Pooling& p, const float* x, float* y);
/// dx is overwritten.
void max_pooled_gradient(const Pooling& p, const float* dy, const float* x, float* dx);
void average_pooled(const Pooling& p, const float* x, float* y);
/// dx is overwritten.
void average_pooled_gradient(const Pooling& p, const float* dy, float* dx);

}  // namespace causeway::engine::cpu
