#include <algorithm>

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

using ops::ReduceKind;

/// What is done before and after a total.
struct Total {
  ReduceKind kind = ReduceKind::Sum;
  Value (*before)(Value) = nullptr;
  Value (*after)(Value) = nullptr;
};

// Axes are an attribute to opset 17 (ReduceSum's to 12), and an input afterwards. Without axes all are taken, unless
// noop_with_empty_axes says that none is: then what is done element by element is done alone.
Values read_total(NodeReader& node, const Total& total, int64_t axes_as_input = 18) {
  Value x = node.input(0);
  const bool keepdims = node.flag("keepdims", true);
  std::optional<std::vector<int64_t>> axes;
  bool noop = false;
  if (node.opset() < axes_as_input) {
    axes = node.integers("axes");
  } else {
    axes = node.constant_integers(1, "axes");
    noop = node.flag("noop_with_empty_axes", false);
  }
  if (total.before) x = total.before(x);
  const bool takes_none = noop && (!axes || axes->empty());
  if (!takes_none) x = ops::reduce(x, total.kind, axes.value_or(std::vector<int64_t>()), keepdims);
  return {total.after ? total.after(x) : x};
}

}  // namespace

Values read_reduce_sum(NodeReader& node) { return read_total(node, {ReduceKind::Sum}, 13); }
Values read_reduce_mean(NodeReader& node) { return read_total(node, {ReduceKind::Mean}); }
Values read_reduce_max(NodeReader& node) { return read_total(node, {ReduceKind::Max}); }
Values read_reduce_min(NodeReader& node) { return read_total(node, {ReduceKind::Min}); }
Values read_reduce_prod(NodeReader& node) { return read_total(node, {ReduceKind::Prod}); }
Values read_reduce_l1(NodeReader& node) { return read_total(node, {ReduceKind::Sum, ops::abs}); }
Values read_reduce_l2(NodeReader& node) { return read_total(node, {ReduceKind::Sum, ops::square, ops::sqrt}); }
Values read_reduce_sum_square(NodeReader& node) { return read_total(node, {ReduceKind::Sum, ops::square}); }
Values read_reduce_log_sum(NodeReader& node) { return read_total(node, {ReduceKind::Sum, nullptr, ops::log}); }
Values read_reduce_log_sum_exp(NodeReader& node) { return read_total(node, {ReduceKind::LogSumExp}); }

namespace {

// Whether a total is taken over all places of an image, series or volume, channels first.
bool is_over_places(const std::vector<int64_t>& axes, size_t rank) {
  if (rank < 3 || rank > 5 || axes.size() != rank - 2) return false;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != static_cast<int64_t>(i) + 2) return false;
  }
  return true;
}

}  // namespace

void write_reduce(NodeWriter& node) {
  constexpr const char* kOps[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceLogSumExp"};
  const auto& op = node.settings<ops::Reduce>();
  std::vector<int64_t> axes;
  for (const int64_t axis : op.axes) axes.push_back(static_cast<int64_t>(axis_in(axis, node.shape(0).rank())));
  std::sort(axes.begin(), axes.end());
  const DType dtype = node.value(0).dtype();
  expect_dtype(node, 0, dtype == DType::UInt8 || dtype == DType::Int8, 12);
  expect_dtype(node, 0, dtype == DType::Bool, 20);
  const bool pools = op.kind == ReduceKind::Mean || op.kind == ReduceKind::Max;
  if (pools && is_floating(node.value(0).dtype()) && is_over_places(axes, node.shape(0).rank())) {
    std::string y = node.add(op.kind == ReduceKind::Mean ? "GlobalAveragePool" : "GlobalMaxPool", node.inputs());
    if (!op.keepdims) {
      std::vector<std::string> inputs{y};
      std::vector<Attribute> attributes;
      node.give_list(13, "axes", axes, inputs, attributes);
      y = node.add("Squeeze", inputs, attributes);
    }
    return node.give(y);
  }
  std::vector<std::string> inputs = node.inputs();
  std::vector<Attribute> attributes{integer("keepdims", op.keepdims)};
  if (!axes.empty()) {
    node.give_list(op.kind == ReduceKind::Sum ? 13 : 18, "axes", axes, inputs, attributes);
  }
  node.give(node.add(kOps[static_cast<size_t>(op.kind)], inputs, attributes));
}

}  // namespace causeway::formats::onnx
