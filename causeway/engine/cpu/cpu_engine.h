#pragma once

// engine/cpu/ is the fast engine, on one processor. A bound graph becomes a draft (draft.h) that is rewritten: nodes are
// fused, folded and given layouts. A plan (plan.h) lays its tasks in an order and its values in one arena, and makes a
// kernel for each task, from kernel_table.cpp or, where that has none, from reference/. Nothing here knows a file.

#include "causeway/engine/engine.h"

namespace causeway::engine::cpu {

/// An engine that holds nothing: any number of them are the same.
class CpuEngine final : public Engine {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view version() const override { return "1"; }
  std::shared_ptr<const Executable> compile(const Graph& graph, Slots& slots, const Binding& binding,
                                            const CompileOptions& options = {}) const override;
};

}  // namespace causeway::engine::cpu
