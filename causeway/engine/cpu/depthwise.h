#pragma once

#include "causeway/engine/cpu/primitive.h"

namespace causeway::engine::cpu {

/// Whether a problem is a forward convolution of each channel by itself, which has a kernel of its own here: oneDNN's
/// runs at a tenth of its others.
bool is_depthwise(const ConvProblem& problem);

/// What a weight takes in the order the kernel reads it, in numbers: block by block, tap by tap, channel by channel.
int64_t depthwise_weight_size(const ConvProblem& problem);
void pack_depthwise_weight(const ConvProblem& problem, const float* from, float* to);

/// On blocked values. `bias` and `added` (of the size of y, onto which the sums go) may be null; y may be `added`.
void depthwise(const ConvProblem& problem, const float* x, const float* weight, const float* bias, const float* added,
               float* y);

}  // namespace causeway::engine::cpu
