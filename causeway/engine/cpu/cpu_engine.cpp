#include "causeway/engine/cpu/cpu_engine.h"

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/plan.h"
#include "causeway/passes/bind.h"
#include "causeway/passes/recognize_attention.h"
#include "causeway/passes/take_early.h"

namespace causeway::engine::cpu {

std::shared_ptr<const Executable> CpuEngine::compile(const Graph& graph, Slots& slots, const Binding& binding,
                                                     const CompileOptions& options) const {
  passes::BoundGraph bound = passes::bound(graph, slots, {binding.lengths, binding.values});
  bound.graph = passes::taken_early(passes::recognized_attention(bound.graph, bound.slots), bound.slots);
  return planned(drafted(std::move(bound)), options);
}

}  // namespace causeway::engine::cpu
