#pragma once

#include <memory>

#include "causeway/engine/cpu/primitive.h"

namespace causeway::engine::cpu {

/// A first convolution: of few input channels, channels first, by a window of few cells. Null for any other. It takes
/// what oneDNN's takes, and no time to make.
std::shared_ptr<const ConvPrimitive> few_channels_conv(const ConvProblem& problem);

}  // namespace causeway::engine::cpu
