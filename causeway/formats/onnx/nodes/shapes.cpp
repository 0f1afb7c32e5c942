#include "causeway/formats/onnx/element_types.h"
#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {

Values read_shape(NodeReader& node) {
  node.expect_inputs(1, 1);
  ops::ShapeOf shape;
  if (node.opset() >= 15) {
    shape.start = node.integer("start", 0);
    shape.end = node.integer("end");
  }
  return node.graph().add(shape, {node.input(0)});
}

Values read_size(NodeReader& node) {
  node.expect_inputs(1, 1);
  return {ops::count_of(node.input(0))};
}

Values read_constant_of_shape(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Tensor value = node.tensor("value").value_or(Tensor::of<float>({1}, {0.0f}));
  if (value.size() != 1) unfit("'value' is " + value.shape().text() + ", and one number is read.");
  const DType dtype = node.computed(value.dtype());
  return node.graph().add(ops::ConstantOfShape{.value = value.number_at(0), .dtype = dtype}, {node.input(0)});
}

Values read_range(NodeReader& node) {
  node.expect_inputs(3, 3);
  Values bounds;
  for (size_t i = 0; i < 3; ++i) {
    Value bound = node.input(i);
    if (bound.shape().has_rank() && bound.shape().rank() == 1) bound = ops::squeeze(bound);
    bounds.push_back(bound);
  }
  return node.graph().add(ops::Range{}, bounds);
}

// A part of the lengths is a Slice of them below opset 15.
void write_shape(NodeWriter& node) {
  const auto& shape = node.settings<ops::ShapeOf>();
  if (shape.start == 0 && !shape.end) return node.give(node.add("Shape", node.inputs()));
  const auto rank = static_cast<int64_t>(node.shape(0).rank());
  if (node.may_use(15)) {
    std::vector<Attribute> part{integer("start", shape.start)};
    if (shape.end) part.push_back(integer("end", *shape.end));
    return node.give(node.add("Shape", node.inputs(), part));
  }
  std::vector<std::string> inputs{node.add("Shape", node.inputs())};
  std::vector<Attribute> attributes;
  node.give_list(10, "starts", {shape.start}, inputs, attributes);
  node.give_list(10, "ends", {shape.end.value_or(rank)}, inputs, attributes);
  node.give(node.add("Slice", inputs, attributes));
}

void write_constant_of_shape(NodeWriter& node) {
  node.require(9, "ConstantOfShape");
  const auto& op = node.settings<ops::ConstantOfShape>();
  const Tensor value = Tensor::of<double>({1}, {op.value}).converted(op.dtype);
  node.give(node.add("ConstantOfShape", node.inputs(), {tensor("value", value)}));
}

// Ones on the k-th diagonal of a matrix with the lengths of x.
Values read_eye_like(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  if (known_rank(x) != 2) unfit("x is " + x.shape().text() + ", and it is a matrix.");
  const int64_t k = node.integer("k", 0);
  const std::optional<int64_t> stated = node.integer("dtype");
  const DType dtype = stated ? dtype_of_element_type(*stated) : known_dtype(x);
  if (dtype == DType::Unknown) unfit(not_read("'dtype'", stated.value_or(0)));
  const Value rows = along(counted(length_of(x, Length::axis(0))), 0, 2);
  const Value columns = along(counted(length_of(x, Length::axis(1))), 1, 2);
  return {ops::cast(ops::equal(ops::sub(columns, rows), static_cast<double>(k)), node.computed(dtype))};
}

}  // namespace causeway::formats::onnx
