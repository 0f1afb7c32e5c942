#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {

Values read_mat_mul(NodeReader& node) {
  node.expect_inputs(2, 2);
  return node.graph().add(ops::MatMul{}, {node.input(0), node.input(1)});
}

// Y = alpha * A' * B' + beta * C. C is spread one way; before opset 7 only where `broadcast` is 1.
Values read_gemm(NodeReader& node) {
  node.expect_inputs(2, 3);
  const float alpha = node.real("alpha", 1.0f), beta = node.real("beta", 1.0f);
  const bool transpose_a = node.flag("transA", false), transpose_b = node.flag("transB", false);
  if (node.opset() < 7) node.flag("broadcast", false);
  if (node.opset() < 11) node.input(2);
  const Value a = node.input(0), b = node.input(1);
  for (const Value& operand : {a, b}) {
    if (operand.shape().has_rank() && operand.shape().rank() != 2) {
      unfit("its operands are " + a.shape().text() + " and " + b.shape().text() + ", and both are matrices.");
    }
  }
  Value y = ops::matmul(a, b, transpose_a, transpose_b);
  if (alpha != 1) y = ops::scale(y, alpha);
  if (!node.has_input(2)) return {y};
  Value c = node.input(2);
  if (c.shape().has_rank() && y.shape().has_rank() && broadcast(y.shape(), c.shape()).rank() > 2) {
    unfit("C is " + c.shape().text() + ", and it is spread to " + y.shape().text() + ".");
  }
  if (beta != 1) c = ops::scale(c, beta);
  return {ops::add(y, c)};
}

// ONNX's MatMul turns neither operand; Gemm turns two matrices, and needs a third operand to opset 10.
void write_mat_mul(NodeWriter& node) {
  const auto& product = node.settings<ops::MatMul>();
  expect_dtype(node, 0, !is_floating(node.value(0).dtype()), 9);
  std::vector<std::string> operands = node.inputs();
  if (!product.transpose_a && !product.transpose_b) return node.give(node.add("MatMul", operands));
  if (node.shape(0).rank() == 2 && node.shape(1).rank() == 2 && is_floating(node.value(0).dtype())) {
    if (node.opset() < 11) operands.push_back(node.constant(Tensor::of<float>({1}, {0.0f}), "zero"));
    return node.give(
        node.add("Gemm", operands, {integer("transA", product.transpose_a), integer("transB", product.transpose_b)}));
  }
  const auto turned = [&](size_t i) {
    std::vector<int64_t> order;
    for (size_t axis = 0; axis < node.shape(i).rank(); ++axis) order.push_back(static_cast<int64_t>(axis));
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return node.add("Transpose", {operands[i]}, {list("perm", order)});
  };
  if (product.transpose_a) operands[0] = turned(0);
  if (product.transpose_b) operands[1] = turned(1);
  node.give(node.add("MatMul", operands));
}

}  // namespace causeway::formats::onnx
