#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

// Before opset 7 nothing is broadcast unless `broadcast` is 1; the lengths of B then lie along those of A from `axis`,
// at the end unless stated.
Values two_operands(NodeReader& node) {
  node.expect_inputs(2, 2);
  const Value a = node.input(0);
  Value b = node.input(1);
  if (node.opset() >= 7) return {a, b};
  const bool broadcasts = node.flag("broadcast", false);
  const std::optional<int64_t> axis = node.integer("axis");
  if (!broadcasts || !axis || !b.shape().has_rank()) return {a, b};
  if (!a.shape().has_rank()) unfit("'axis' places its second operand along the first, whose rank is not known.");
  const size_t from = axis_in(*axis, a.shape().rank());
  if (from + b.shape().rank() > a.shape().rank()) {
    unfit("'axis' is " + std::to_string(*axis) + ", and from there " + b.shape().text() + " does not lie along " +
          a.shape().text() + ".");
  }
  std::vector<int64_t> behind;
  for (size_t i = from + b.shape().rank(); i < a.shape().rank(); ++i) behind.push_back(static_cast<int64_t>(i - from));
  if (!behind.empty()) b = ops::unsqueeze(b, behind);
  return {a, b};
}

template <class Op>
Values read_two(NodeReader& node) {
  return node.graph().add(Op{}, two_operands(node));
}

using Two = Value (*)(Value, Value);

// One operand or more, taken together from the first to the last.
Value taken_together(NodeReader& node, Two two) {
  node.expect_inputs(1, std::numeric_limits<size_t>::max());
  Value all = node.input(0);
  for (size_t i = 1; i < node.input_count(); ++i) all = two(all, node.input(i));
  return all;
}

// Whether two shapes are known to be the same.
bool are_the_same(const Shape& a, const Shape& b) {
  if (!a.has_rank() || a != b) return false;
  return std::none_of(a.dims->begin(), a.dims->end(), [](const Dim& dim) { return dim.is_unknown(); });
}

}  // namespace

Values read_add(NodeReader& node) { return read_two<ops::Add>(node); }
Values read_sub(NodeReader& node) { return read_two<ops::Sub>(node); }
Values read_mul(NodeReader& node) { return read_two<ops::Mul>(node); }
Values read_div(NodeReader& node) { return read_two<ops::Div>(node); }
Values read_pow(NodeReader& node) { return read_two<ops::Pow>(node); }
Values read_and(NodeReader& node) { return read_two<ops::And>(node); }
Values read_or(NodeReader& node) { return read_two<ops::Or>(node); }
Values read_xor(NodeReader& node) { return read_two<ops::Xor>(node); }
Values read_equal(NodeReader& node) { return read_two<ops::Equal>(node); }
Values read_greater(NodeReader& node) { return read_two<ops::Greater>(node); }
Values read_less(NodeReader& node) { return read_two<ops::Less>(node); }
Values read_greater_or_equal(NodeReader& node) { return read_two<ops::GreaterOrEqual>(node); }
Values read_less_or_equal(NodeReader& node) { return read_two<ops::LessOrEqual>(node); }

Values read_mod(NodeReader& node) {
  node.expect_inputs(2, 2);
  return node.graph().add(ops::Mod{.fmod = node.flag("fmod", false)}, {node.input(0), node.input(1)});
}

Values read_max(NodeReader& node) { return {taken_together(node, static_cast<Two>(ops::max))}; }
Values read_min(NodeReader& node) { return {taken_together(node, static_cast<Two>(ops::min))}; }
Values read_sum(NodeReader& node) { return {taken_together(node, static_cast<Two>(ops::add))}; }
Values read_mean(NodeReader& node) {
  const Value sum = taken_together(node, static_cast<Two>(ops::add));
  return {node.input_count() == 1 ? sum
                                  : ops::div(sum, ops::number_like(sum, static_cast<double>(node.input_count())))};
}

Values read_where(NodeReader& node) {
  node.expect_inputs(3, 3);
  return {ops::where(node.input(0), node.input(1), node.input(2))};
}

Values read_is_inf(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  const bool negative = node.flag("detect_negative", true), positive = node.flag("detect_positive", true);
  const double infinity = std::numeric_limits<double>::infinity();
  if (negative && positive) return {ops::equal(ops::abs(x), infinity)};
  if (positive) return {ops::equal(x, infinity)};
  if (negative) return {ops::equal(x, -infinity)};
  return {ops::cast(ops::full_like(x, 0), DType::Bool)};
}

void expect_dtype(NodeWriter& node, size_t i, bool needs, int64_t opset) {
  if (needs) {
    node.require(opset, std::string(node.node().op.name()) + " of " + std::string(name_of(node.value(i).dtype())));
  }
}

void write_arithmetic(NodeWriter& node) {
  const DType dtype = node.value(0).dtype();
  expect_dtype(node, 0, dtype == DType::UInt8 || dtype == DType::Int8, 14);
  node.give(node.add(node.node().op.name(), node.inputs()));
}

void write_equal(NodeWriter& node) {
  expect_dtype(node, 0, is_floating(node.value(0).dtype()), 11);
  node.give(node.add("Equal", node.inputs()));
}

void write_order(NodeWriter& node) {
  expect_dtype(node, 0, !is_floating(node.value(0).dtype()), 9);
  node.give(node.add(node.node().op.name(), node.inputs()));
}

// Below opset 12: below, or equal.
void write_order_or_equal(NodeWriter& node) {
  if (node.may_use(12)) return node.give(node.add(node.node().op.name(), node.inputs()));
  expect_dtype(node, 0, is_floating(node.value(0).dtype()), 11);
  const char* strict = node.node().op.is<ops::LessOrEqual>() ? "Less" : "Greater";
  node.give(node.add("Or", {node.add(strict, node.inputs()), node.add("Equal", node.inputs())}));
}

// Max and Min broadcast from opset 8 on.
void write_largest(NodeWriter& node) {
  const std::string_view op = node.node().op.name();
  if (!are_the_same(node.value(0).shape(), node.value(1).shape()))
    node.require(8, std::string(op) + " of other shapes");
  expect_dtype(node, 0, !is_floating(node.value(0).dtype()), 12);
  node.give(node.add(node.node().op.name(), node.inputs()));
}

void write_pow(NodeWriter& node) {
  const DType base = node.value(0).dtype();
  expect_dtype(node, 0, !is_floating(base) || node.value(1).dtype() != base, 12);
  node.give(node.add("Pow", node.inputs()));
}

void write_mod(NodeWriter& node) {
  node.require(10, "Mod");
  node.give(node.add("Mod", node.inputs(), {integer("fmod", node.settings<ops::Mod>().fmod)}));
}

void write_fma(NodeWriter& node) {
  node.give(node.add("Add", {node.add("Mul", {node.input(0), node.input(1)}), node.input(2)}));
}

}  // namespace causeway::formats::onnx
