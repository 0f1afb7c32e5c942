#pragma once

#include <vector>

#include "causeway/engine/engine.h"

namespace causeway::tests {

/// Every engine that is compared with the reference kernels: a line an engine in engines.cpp.
std::vector<const Engine*> judged_engines();
/// The judge.
const Engine& reference_engine();

}  // namespace causeway::tests
