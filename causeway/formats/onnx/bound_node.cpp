#include "causeway/formats/onnx/bound_node.h"

#include "causeway/formats/onnx/node_reader.h"
#include "causeway/formats/onnx/node_table.h"

namespace causeway::formats::onnx {

Types BoundNode::infer(std::span<const Type>) const { return Types(planned->node.outputs.size()); }

Values BoundNode::expanded(GraphBuilder& graph, const Values& inputs) const {
  std::vector<Fault> faults;
  std::vector<std::string> notes;
  ReadingContext context{graph, faults, notes, from_pytorch, doubles};
  NodeReader node(*planned, inputs, context);
  Values outputs;
  try {
    outputs = node_row(planned->node.op)->read(node);
  } catch (const NotKnownYet& unknown) {
    unfit(unknown.what);
  }
  if (!faults.empty()) unfit(faults.front().what);
  outputs.resize(planned->node.outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i] && node.has_output(i)) unfit("its output " + std::to_string(i) + " is not made here.");
    // An absent output stands for nothing; a node's outputs are values all the same.
    if (!outputs[i]) outputs[i] = outputs[0];
  }
  return outputs;
}

}  // namespace causeway::formats::onnx
