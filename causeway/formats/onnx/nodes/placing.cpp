#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {

Values read_gather(NodeReader& node) {
  node.expect_inputs(2, 2);
  return node.graph().add(ops::Gather{.axis = node.integer("axis", 0)}, {node.input(0), node.input(1)});
}

Values read_arg_max(NodeReader& node) {
  node.expect_inputs(1, 1);
  const ops::ArgMax op{.axis = node.integer("axis", 0),
                       .keepdims = node.flag("keepdims", true),
                       .select_last = node.opset() >= 12 && node.flag("select_last_index", false)};
  return node.graph().add(op, {node.input(0)});
}

Values read_arg_min(NodeReader& node) {
  node.expect_inputs(1, 1);
  const ops::ArgMax op{.axis = node.integer("axis", 0),
                       .keepdims = node.flag("keepdims", true),
                       .select_last = node.opset() >= 12 && node.flag("select_last_index", false)};
  return node.graph().add(op, {ops::neg(node.input(0))});
}

}  // namespace causeway::formats::onnx
