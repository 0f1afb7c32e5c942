#include "causeway/engine/cpu/reference_only.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/kernel.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"
#include "tests/ops/case_graph.h"

namespace causeway::engine::cpu {
namespace {

/// The ops of a case's plan, by whose kernels work them.
struct Planned {
  std::set<std::string> own, on_reference;
};

/// Whether there is anything to compute from and for.
bool has_numbers(const Draft& draft, const Task& task) {
  const auto has = [&](ValueId id) { return id == kAbsent || draft[id].size() > 0; };
  return std::all_of(task.inputs.begin(), task.inputs.end(), has) &&
         std::all_of(task.outputs.begin(), task.outputs.end(), has);
}

Planned planned_ops(const tests::OpCase& one) {
  tests::CaseGraph made = tests::forward_graph(one);
  passes::Lengths lengths;
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    lengths.lengths[made.graph.inputs()[i].name] = made.inputs[i].lengths();
  }
  Draft draft = drafted(passes::bound(made.graph, made.slots, lengths));
  rewrite(draft);
  Planned planned;
  for (const Task& task : draft.tasks) {
    const std::string name(task.op.name());
    if (!has_numbers(draft, task)) continue;
    (own_kernel(draft, task) ? planned.own : planned.on_reference).insert(name);
  }
  return planned;
}

bool is_on_float32(const tests::OpCase& one) {
  const auto is_other = [](const tests::InputCase& input) {
    return is_floating(input.dtype) && input.dtype != DType::Float32;
  };
  const auto is_float32 = [](const tests::InputCase& input) { return input.dtype == DType::Float32; };
  return std::any_of(one.inputs.begin(), one.inputs.end(), is_float32) &&
         std::none_of(one.inputs.begin(), one.inputs.end(), is_other);
}

struct Uses {
  /// Names of cases.
  std::set<std::string> own, fallen_on_float32;
};

std::map<std::string, Uses, std::less<>> uses_by_op() {
  std::map<std::string, Uses, std::less<>> uses;
  for (const tests::OpCase& one : tests::all_op_cases()) {
    const Planned planned = planned_ops(one);
    Uses& of = uses[std::string(one.op.name())];
    if (planned.on_reference.empty()) {
      if (!planned.own.empty()) of.own.insert(one.name);
    } else if (is_on_float32(one)) {
      of.fallen_on_float32.insert(one.name);
    }
  }
  return uses;
}

std::set<std::string_view> ops_of(bool whole) {
  std::set<std::string_view> ops;
  for (const ReferenceOnly& row : reference_only()) {
    if (row.when.empty() == whole) ops.insert(row.op);
  }
  return ops;
}

TEST(ReferenceOnly, NamesEveryOpWithoutAKernel) {
  const auto uses = uses_by_op();
  const std::set<std::string_view> said = ops_of(true);
  for (const ops::OpRow& op : ops::all_ops()) {
    const auto found = uses.find(op.name);
    const bool has_own = found != uses.end() && !found->second.own.empty();
    EXPECT_NE(has_own, said.contains(op.name)) << op.name;
  }
}

TEST(ReferenceOnly, NamesEveryUseOnFloat32ThatFalls) {
  const std::set<std::string_view> whole = ops_of(true), some = ops_of(false);
  for (const auto& [op, uses] : uses_by_op()) {
    if (whole.contains(op)) continue;
    EXPECT_EQ(!uses.fallen_on_float32.empty(), some.contains(op)) << op;
    if (some.contains(op)) continue;
    for (const std::string& name : uses.fallen_on_float32) ADD_FAILURE() << op << ", case " << name;
  }
}

}  // namespace
}  // namespace causeway::engine::cpu
