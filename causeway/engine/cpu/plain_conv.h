#pragma once

#include <memory>

#include "causeway/engine/cpu/primitive.h"

namespace causeway::engine::cpu {

/// A problem on blocked values by a primitive that `make` gives for the same problem on plain ones, channels first: what
/// is blocked is laid out plain in scratch memory, row by row. Null where `make` gives none.
///
/// Plain values are what oneDNN's matrix products take, which work every convolution; its forms on blocks leave out some,
/// such as groups of few channels, and would walk them number by number.
std::shared_ptr<const ConvPrimitive> plain_conv(const ConvProblem& problem,
                                                std::shared_ptr<const ConvPrimitive> (*make)(const ConvProblem&));

}  // namespace causeway::engine::cpu
