#include "causeway/formats/onnx/bound_node.h"

#include "causeway/formats/onnx/node_walk.h"

namespace causeway::formats::onnx {

Types BoundNode::infer(std::span<const Type>) const { return Types(planned->node.outputs.size()); }

Values BoundNode::expanded(GraphBuilder& graph, const Values& inputs) const {
  std::vector<Fault> faults;
  std::vector<std::string> notes;
  std::vector<Entry> entries;
  FileReading reading{graph.slots(), graph, faults, notes, entries};
  reading.functions = functions;
  reading.from_pytorch = from_pytorch;
  reading.keeps_double = keeps_double;
  reading.is_bound = true;
  const size_t own = planned->node.inputs.size();
  const PlannedGraph around;
  NodeWalk walk(reading, around);
  for (size_t i = 0; i < captured.size(); ++i) walk.give(captured[i], inputs[own + i]);
  Values outputs = walk.read_bound(*planned, {inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(own)});
  if (!faults.empty()) unfit(faults.front().where + ": " + faults.front().what);
  return outputs;
}

}  // namespace causeway::formats::onnx
