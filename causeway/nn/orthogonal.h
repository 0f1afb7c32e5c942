#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "causeway/base/philox.h"

namespace causeway::nn {

/// Fills a slot with an orthogonal matrix [product of the leading axes, last axis] times `gain`: the Q of a QR
/// decomposition of normals [larger, smaller], drawn row by row, with the diagonal of R positive; transposed where there
/// are fewer rows than columns.
/// Source: Saxe, McClelland and Ganguli 2013, https://arxiv.org/abs/1312.6120
void draw_orthogonal(const std::vector<int64_t>& lengths, double gain, const Draws& draws, std::span<float> into);

}  // namespace causeway::nn
