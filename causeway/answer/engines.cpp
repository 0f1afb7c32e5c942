#include "causeway/answer/engines.h"

#include <string>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"

namespace causeway {

const Engine& cpu() {
  static const engine::cpu::CpuEngine engine;
  return engine;
}

const Engine& reference_engine() {
  static const engine::reference::ReferenceEngine engine;
  return engine;
}

std::span<const Engine* const> engines() {
  static const Engine* const kAll[] = {&cpu(), &reference_engine()};
  return kAll;
}

const Engine& engine_named(std::string_view name) {
  std::string known;
  for (const Engine* engine : engines()) {
    if (engine->name() == name) return *engine;
    known += (known.empty() ? "" : ", ") + std::string(engine->name());
  }
  throw Refused("engine", "no engine is named " + quoted(name) + ". There are " + known + ".");
}

}  // namespace causeway
