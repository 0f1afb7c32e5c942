#pragma once

// answer/ asks networks for answers: it holds the engines by name, keeps what was compiled for a network, and lends
// contexts to threads. It is the one room (with the tests) that names a particular engine.

#include <span>
#include <string_view>

#include "causeway/engine/engine.h"

namespace causeway {

/// The fast engine, on the processor.
const Engine& cpu();
/// The judge: plain loops, sums in double.
const Engine& reference_engine();

/// Every engine that was built in.
std::span<const Engine* const> engines();
/// The engine of that name. Refused, with the names there are, where there is none.
const Engine& engine_named(std::string_view name);

}  // namespace causeway
