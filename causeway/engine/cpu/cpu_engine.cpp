#include "causeway/engine/cpu/cpu_engine.h"

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/plan.h"
#include "causeway/passes/bind.h"

namespace causeway::engine::cpu {

std::shared_ptr<const Executable> CpuEngine::compile(const Graph& graph, Slots& slots, const Binding& binding,
                                                     const CompileOptions& options) const {
  return planned(drafted(passes::bound(graph, slots, {binding.lengths, binding.values})), options);
}

}  // namespace causeway::engine::cpu
