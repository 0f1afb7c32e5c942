#include "causeway/passes/with_lengths.h"

#include <optional>
#include <utility>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/graph/rewrite.h"
#include "causeway/passes/bind.h"
#include "causeway/reference/reference.h"

namespace causeway::passes {
namespace {

Shape with_lengths(const Shape& shape, const std::map<std::string, int64_t, std::less<>>& lengths) {
  if (!shape.has_rank()) return shape;
  std::vector<Dim> dims;
  for (const Dim& dim : *shape.dims) dims.push_back(dim.bound(lengths));
  return dims;
}

}  // namespace

Network with_lengths(const Network& network, const std::map<std::string, int64_t, std::less<>>& lengths) {
  const Graph& graph = network.graph();
  Slots slots = network.slots();
  GraphBuilder builder(slots);
  builder.fold_with(reference::folder());
  ValueMap made;
  for (const Door& door : graph.inputs()) {
    const Type& type = door.value.type();
    made[door.value] = builder.input(door.name, {type.dtype, with_lengths(type.shape, lengths)}, door.axes);
  }
  std::vector<Fault> faults;
  const NodeRule rule = [&](GraphBuilder& into, const Node& node, const Values& inputs) -> std::optional<Values> {
    try {
      return into.add(node.op, inputs);
    } catch (const Unfit& unfit) {
      faults.push_back({place_of(node), unfit.what()});
      return into.add_typed(node.op, inputs, Types(node.outputs.size()));
    }
  };
  made = copy_nodes(builder, graph, rule, std::move(made));
  refuse_if_any(std::move(faults));
  for (const Door& door : graph.outputs()) builder.output(door.name, made.at(door.value), door.axes);
  Graph bound = std::move(builder).finish();
  return Network(std::move(bound), std::move(slots));
}

}  // namespace causeway::passes
