#include "tests/formats/onnx/op_networks.h"

#include <optional>

#include "causeway/answer/engines.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/recurrent.h"
#include "tests/ops/case_graph.h"

namespace causeway::tests {

SavedNetwork network_of(const OpCase& one) {
  CaseGraph made = forward_graph(one);
  if (one.op.is<ops::Recurrent>()) {
    GraphBuilder builder(made.slots);
    const ValueMap now = copy_nodes(builder, made.graph);
    for (const Door& door : made.graph.outputs()) {
      if (door.name != "y2") builder.output(door.name, now.at(door.value));
    }
    made.graph = std::move(builder).finish();
  }
  return {.network = Network(std::move(made.graph), std::move(made.slots))};
}

bool has_hole_in_mask(const OpCase& one) {
  constexpr size_t kMask = 4;
  if (!one.op.is<ops::Recurrent>() || one.inputs.size() <= kMask) return false;
  const std::optional<Tensor> mask = tensors_of(one)[kMask];
  for (int64_t i = 1; mask && i < mask->size(); ++i) {
    if (i % mask->lengths()[1] != 0 && mask->number_at(i) > mask->number_at(i - 1)) return true;
  }
  return false;
}

std::vector<Tensor> answers_of(const SavedNetwork& saved, const std::vector<Tensor>& inputs) {
  CaseGraph made{.slots = saved.network.slots(), .graph = saved.network.graph(), .inputs = inputs};
  return run_on(reference_engine(), made);
}

}  // namespace causeway::tests
