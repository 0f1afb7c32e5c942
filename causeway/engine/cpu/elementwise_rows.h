#pragma once

#include "causeway/engine/cpu/elementwise.h"

namespace causeway::engine::cpu {

/// The two halves of elementwise(), a file each; null for what the other has.
Elementwise arithmetic_step(Code code);
Elementwise function_step(Code code);

}  // namespace causeway::engine::cpu
