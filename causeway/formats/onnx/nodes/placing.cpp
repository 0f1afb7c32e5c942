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

void write_gather(NodeWriter& node) {
  const auto axis = static_cast<int64_t>(axis_in(node.settings<ops::Gather>().axis, node.shape(0).rank()));
  node.give(node.add("Gather", node.inputs(), {integer("axis", axis)}));
}

void write_arg_max(NodeWriter& node) {
  const auto& op = node.settings<ops::ArgMax>();
  const auto axis = static_cast<int64_t>(axis_in(op.axis, node.shape(0).rank()));
  std::vector<Attribute> attributes{integer("axis", axis), integer("keepdims", op.keepdims)};
  if (op.select_last) {
    node.require(12, "'select_last_index' of ArgMax");
    attributes.push_back(integer("select_last_index", 1));
  }
  node.give(node.add("ArgMax", node.inputs(), attributes));
}

}  // namespace causeway::formats::onnx
