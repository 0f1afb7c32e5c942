#pragma once

// engine/reference/ is the judge: a bound graph walked node by node through the kernels of causeway/reference. It plans
// nothing but memory, and every other engine is compared with it.

#include "causeway/engine/engine.h"

namespace causeway::engine::reference {

/// Every value has memory of its own, made with the context; each run walks all nodes in the graph's order on the thread
/// that calls it. An engine that holds nothing: any number of them are the same.
class ReferenceEngine final : public Engine {
 public:
  std::string_view name() const override { return "reference"; }
  std::string_view version() const override { return "1"; }
  std::shared_ptr<const Executable> compile(const Graph& graph, Slots& slots, const Binding& binding,
                                            const CompileOptions& options = {}) const override;
};

}  // namespace causeway::engine::reference
