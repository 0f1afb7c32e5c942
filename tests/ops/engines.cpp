#include "tests/ops/engines.h"

#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"

namespace causeway::tests {

const Engine& reference_engine() {
  static const engine::reference::ReferenceEngine kReference;
  return kReference;
}

std::vector<const Engine*> judged_engines() {
  static const engine::cpu::CpuEngine kCpu;
  return {
      &reference_engine(),
      &kCpu,
  };
}

}  // namespace causeway::tests
