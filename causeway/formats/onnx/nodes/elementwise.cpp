#include <limits>
#include <map>
#include <string>

#include "causeway/formats/onnx/element_types.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

template <class Op>
Values read_plain(NodeReader& node) {
  node.expect_inputs(1, 1);
  return node.graph().add(Op{}, {node.input(0)});
}

// Before opset 6 a Cast names its target in words.
constexpr std::pair<std::string_view, int64_t> kTargets[] = {
    {"FLOAT", 1}, {"UINT8", 2},    {"INT8", 3},    {"UINT16", 4},  {"INT16", 5},   {"INT32", 6}, {"INT64", 7},
    {"BOOL", 9},  {"FLOAT16", 10}, {"DOUBLE", 11}, {"UINT32", 12}, {"UINT64", 13}, {"STRING", 8}};

int64_t target_of(NodeReader& node) {
  if (node.opset() >= 6 || !node.is_text("to")) return node.integer("to", 0);
  const std::string word = node.text("to", "");
  for (const auto& [name, number] : kTargets) {
    if (name == word) return number;
  }
  return 0;
}

// Half widths are computed in float32: a cast to one rounds and widens again.
Value cast_as_declared(const NodeReader& node, Value x, DType to) {
  if (to == DType::Float16 || to == DType::BFloat16) return ops::cast(ops::cast(x, to), DType::Float32);
  return x.dtype() == node.computed(to) ? x : ops::cast(x, node.computed(to));
}

}  // namespace

Values read_abs(NodeReader& node) { return read_plain<ops::Abs>(node); }
Values read_neg(NodeReader& node) { return read_plain<ops::Neg>(node); }
Values read_reciprocal(NodeReader& node) { return read_plain<ops::Reciprocal>(node); }
Values read_sqrt(NodeReader& node) { return read_plain<ops::Sqrt>(node); }
Values read_exp(NodeReader& node) { return read_plain<ops::Exp>(node); }
Values read_log(NodeReader& node) { return read_plain<ops::Log>(node); }
Values read_sin(NodeReader& node) { return read_plain<ops::Sin>(node); }
Values read_cos(NodeReader& node) { return read_plain<ops::Cos>(node); }
Values read_erf(NodeReader& node) { return read_plain<ops::Erf>(node); }
Values read_floor(NodeReader& node) { return read_plain<ops::Floor>(node); }
Values read_ceil(NodeReader& node) { return read_plain<ops::Ceil>(node); }
Values read_round(NodeReader& node) { return read_plain<ops::Round>(node); }
Values read_sign(NodeReader& node) { return read_plain<ops::Sign>(node); }
Values read_not(NodeReader& node) { return read_plain<ops::Not>(node); }
Values read_is_nan(NodeReader& node) { return read_plain<ops::IsNaN>(node); }

Values read_tanh(NodeReader& node) { return read_plain<ops::Tanh>(node); }
Values read_sigmoid(NodeReader& node) { return read_plain<ops::Sigmoid>(node); }
Values read_relu(NodeReader& node) { return read_plain<ops::Relu>(node); }
Values read_softplus(NodeReader& node) { return read_plain<ops::Softplus>(node); }
Values read_softsign(NodeReader& node) { return read_plain<ops::Softsign>(node); }
Values read_mish(NodeReader& node) { return read_plain<ops::Mish>(node); }
Values read_hard_swish(NodeReader& node) { return read_plain<ops::HardSwish>(node); }

Values read_identity(NodeReader& node) {
  node.expect_inputs(1, 1);
  return {node.input(0)};
}

Values read_leaky_relu(NodeReader& node) {
  return node.graph().add(ops::LeakyRelu{.slope = node.real("alpha", 0.01f)}, {node.input(0)});
}
Values read_elu(NodeReader& node) {
  return node.graph().add(ops::Elu{.alpha = node.real("alpha", 1.0f)}, {node.input(0)});
}
Values read_celu(NodeReader& node) {
  return node.graph().add(ops::Celu{.alpha = node.real("alpha", 1.0f)}, {node.input(0)});
}
Values read_selu(NodeReader& node) {
  const bool is_first = node.opset() < 6;
  const float alpha = node.real("alpha", is_first ? 1.6732f : 1.67326319217681884765625f);
  const float gamma = node.real("gamma", is_first ? 1.0507f : 1.05070102214813232421875f);
  return node.graph().add(ops::Selu{.alpha = alpha, .gamma = gamma}, {node.input(0)});
}
Values read_hard_sigmoid(NodeReader& node) {
  const ops::HardSigmoid op{.alpha = node.real("alpha", 0.2f), .beta = node.real("beta", 0.5f)};
  return node.graph().add(op, {node.input(0)});
}
Values read_swish(NodeReader& node) {
  return node.graph().add(ops::Swish{.alpha = node.real("alpha", 1.0f)}, {node.input(0)});
}
Values read_gelu(NodeReader& node) {
  const std::string form = node.text("approximate", "none");
  if (form != "none" && form != "tanh") node.refuse("'approximate' is '" + form + "'; 'none' and 'tanh' are read.");
  return node.graph().add(ops::Gelu{.tanh_form = form == "tanh"}, {node.input(0)});
}

// The slope of opset 1 to 6 is one number, or one a channel, which is axis 1.
Values read_p_relu(NodeReader& node) {
  node.expect_inputs(2, 2);
  const Value x = node.input(0);
  Value slope = node.input(1);
  if (node.opset() < 7 && slope.shape().has_rank() && slope.shape().rank() == 1 && slope.shape()[0] != Dim(1)) {
    if (!x.shape().has_rank()) unfit("its slope lies along the channels of x, whose rank is not known.");
    std::vector<int64_t> behind;
    for (size_t axis = 2; axis < x.shape().rank(); ++axis) behind.push_back(static_cast<int64_t>(axis) - 1);
    if (!behind.empty()) slope = ops::unsqueeze(slope, behind);
  }
  return node.graph().add(ops::PRelu{}, {x, slope});
}

Values read_thresholded_relu(NodeReader& node) {
  const Value x = node.input(0);
  return {ops::where(ops::greater(x, node.real("alpha", 1.0f)), x, 0.0)};
}

// x + bias below -lambd, x - bias above lambd, and 0 between.
Values read_shrink(NodeReader& node) {
  const Value x = node.input(0);
  const float bias = node.real("bias", 0.0f), bound = node.real("lambd", 0.5f);
  const Value upper = ops::where(ops::greater(x, bound), ops::shifted(x, -bias), 0.0);
  return {ops::where(ops::less(x, -bound), ops::shifted(x, bias), upper)};
}

// Bounds are attributes to opset 10, and inputs that may be absent from 11. Where both are known float32 numbers it is
// one op; otherwise the larger and the smaller of two values.
Values read_clip(NodeReader& node) {
  const Value x = node.input(0);
  if (node.opset() < 11) return node.graph().add(ops::Clip{.low = node.real("min"), .high = node.real("max")}, {x});
  node.expect_inputs(1, 3);
  const auto known = [&](size_t i) -> std::optional<float> {
    const std::optional<Tensor>& numbers = node.input(i).type().known;
    if (!numbers || numbers->dtype() != DType::Float32 || numbers->size() != 1) return std::nullopt;
    return numbers->values<float>()[0];
  };
  ops::Clip clip;
  bool is_known = true;
  if (node.has_input(1)) is_known = (clip.low = known(1)).has_value() && is_known;
  if (node.has_input(2)) is_known = (clip.high = known(2)).has_value() && is_known;
  if (is_known) return node.graph().add(clip, {x});
  Value y = x;
  if (node.has_input(1)) y = ops::max(y, node.input(1));
  if (node.has_input(2)) y = ops::min(y, node.input(2));
  return {y};
}

// To opset 12 the tensor is a matrix cut before `axis`, each row taken whole; from 13 one axis.
template <class Op>
Values read_soft(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  if (node.opset() >= 13) return node.graph().add(Op{.axis = node.integer("axis", -1)}, {x});
  const int64_t axis = node.integer("axis", 1);
  if (x.shape().has_rank() && axis_in(axis, x.shape().rank()) + 1 == x.shape().rank()) {
    return node.graph().add(Op{.axis = -1}, {x});
  }
  const Value rows = node.graph().add1(ops::Flatten{.axis = axis}, {x});
  return {ops::reshape_like(node.graph().add1(Op{.axis = -1}, {rows}), x)};
}
Values read_softmax(NodeReader& node) { return read_soft<ops::Softmax>(node); }
Values read_log_softmax(NodeReader& node) { return read_soft<ops::LogSoftmax>(node); }

// Answering, a dropout is the identity; training further drops by its ratio.
Values read_dropout(NodeReader& node) {
  const Value x = node.input(0);
  float rate = 0.5f;
  if (node.opset() < 12) {
    rate = node.real("ratio", 0.5f);
    if (node.opset() < 7) node.ignore("is_test");
  } else {
    node.ignore("seed");
    if (const std::optional<Tensor> ratio = node.constant(1, "ratio")) {
      if (ratio->size() != 1) unfit("its 'ratio' is " + ratio->shape().text() + ", and one number is read.");
      rate = static_cast<float>(ratio->number_at(0));
    }
    const std::optional<Tensor> training = node.constant(2, "training_mode");
    if (training && training->size() == 1 && training->number_at(0) != 0 && rate > 0) {
      node.refuse(
          "'training_mode' is true, and its answers would be drawn at random; export the model in inference form.");
    }
  }
  if (!(rate >= 0 && rate < 1)) {
    node.refuse("its 'ratio' is " + text_of(rate) + ", and a share from 0 to below 1 is read.");
    return {};
  }
  Values outputs = node.graph().add(ops::Dropout{.rate = rate}, {x});
  if (node.has_output(1)) outputs.push_back(ops::cast(ops::full_like(x, 1), DType::Bool));
  return outputs;
}

Values read_cast(NodeReader& node) {
  node.expect_inputs(1, 1);
  const int64_t number = target_of(node);
  if (node.opset() >= 19) node.ignore("saturate");  // both concern float8 alone
  if (node.opset() >= 24) node.ignore("round_mode");
  const DType to = dtype_of_element_type(number);
  if (to == DType::Unknown) {
    node.refuse(not_read("'to'", number));
    return {};
  }
  return {cast_as_declared(node, node.input(0), to)};
}

Values read_cast_like(NodeReader& node) {
  node.expect_inputs(2, 2);
  node.ignore("saturate");
  node.ignore("round_mode");
  const DType to = node.input(1).dtype();
  if (to == DType::Unknown) not_known_yet("the dtype it casts to is not known.");
  return {cast_as_declared(node, node.input(0), to)};
}

void write_nothing(NodeWriter& node) { node.give(node.input(0)); }

void write_leaky_relu(NodeWriter& node) {
  node.give(node.add("LeakyRelu", node.inputs(), {real("alpha", node.settings<ops::LeakyRelu>().slope)}));
}
void write_elu(NodeWriter& node) {
  node.give(node.add("Elu", node.inputs(), {real("alpha", node.settings<ops::Elu>().alpha)}));
}
void write_selu(NodeWriter& node) {
  const auto& selu = node.settings<ops::Selu>();
  node.give(node.add("Selu", node.inputs(), {real("alpha", selu.alpha), real("gamma", selu.gamma)}));
}
void write_hard_sigmoid(NodeWriter& node) {
  const auto& op = node.settings<ops::HardSigmoid>();
  node.give(node.add("HardSigmoid", node.inputs(), {real("alpha", op.alpha), real("beta", op.beta)}));
}

// Below opset 12: alpha * elu(x / alpha).
void write_celu(NodeWriter& node) {
  const float alpha = node.settings<ops::Celu>().alpha;
  if (node.may_use(12)) return node.give(node.add("Celu", node.inputs(), {real("alpha", alpha)}));
  const std::string factor = node.scalar(alpha, "alpha");
  node.give(node.add("Mul", {node.add("Elu", {node.add("Div", {node.input(0), factor})}), factor}));
}

void write_swish(NodeWriter& node) {
  const float alpha = node.settings<ops::Swish>().alpha;
  const std::string x = node.input(0);
  const std::string inside = alpha == 1 ? x : node.add("Mul", {x, node.scalar(alpha, "alpha")});
  node.give(node.add("Mul", {x, node.add("Sigmoid", {inside})}));
}

void write_hard_swish(NodeWriter& node) {
  const std::string x = node.input(0);
  if (node.may_use(14)) return node.give(node.add("HardSwish", {x}));
  const std::string gate = node.add("HardSigmoid", {x}, {real("alpha", 1.0f / 6), real("beta", 0.5f)});
  node.give(node.add("Mul", {x, gate}));
}

void write_mish(NodeWriter& node) {
  const std::string x = node.input(0);
  if (node.may_use(18)) return node.give(node.add("Mish", {x}));
  node.give(node.add("Mul", {x, node.add("Tanh", {node.add("Softplus", {x})})}));
}

namespace {

// x * (1 + erf(x / sqrt 2)) / 2.
std::string gelu_by_erf(NodeWriter& node, const std::string& x) {
  node.require(9, "Erf");
  const std::string erf = node.add("Erf", {node.add("Div", {x, node.scalar(1.41421356237309515f, "root_of_2")})});
  const std::string share = node.add("Add", {erf, node.scalar(1, "one")});
  return node.add("Mul", {node.add("Mul", {x, share}), node.scalar(0.5f, "half")});
}

// x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2.
std::string gelu_by_tanh(NodeWriter& node, const std::string& x) {
  const std::string cube = node.add("Mul", {node.add("Mul", {x, x}), x});
  const std::string inside = node.add("Add", {x, node.add("Mul", {cube, node.scalar(0.044715f, "share_of_cube")})});
  const std::string tanh = node.add("Tanh", {node.add("Mul", {inside, node.scalar(0.7978845608028654f, "factor")})});
  const std::string share = node.add("Add", {tanh, node.scalar(1, "one")});
  return node.add("Mul", {node.add("Mul", {x, share}), node.scalar(0.5f, "half")});
}

}  // namespace

void write_gelu(NodeWriter& node) {
  const bool tanh_form = node.settings<ops::Gelu>().tanh_form;
  const std::string x = node.input(0);
  if (node.may_use(20)) return node.give(node.add("Gelu", {x}, {text("approximate", tanh_form ? "tanh" : "none")}));
  node.give(tanh_form ? gelu_by_tanh(node, x) : gelu_by_erf(node, x));
}

// Bounds are attributes to opset 10 and inputs from 11.
void write_relu(NodeWriter& node) {
  expect_dtype(node, 0, !is_floating(node.value(0).dtype()), 14);
  node.give(node.add("Relu", node.inputs()));
}

void write_clip(NodeWriter& node) {
  const auto& clip = node.settings<ops::Clip>();
  const DType dtype = node.value(0).dtype();
  if (dtype != DType::Float32) node.require(12, "Clip of " + std::string(name_of(dtype)));
  // Bounds that cross give the upper one; ONNX Runtime takes no such attributes.
  if (clip.low && clip.high && *clip.low > *clip.high) node.require(11, "Clip with crossed bounds");
  if (node.opset() < 11) {
    std::vector<Attribute> bounds;
    if (clip.low) bounds.push_back(real("min", *clip.low));
    if (clip.high) bounds.push_back(real("max", *clip.high));
    return node.give(node.add("Clip", {node.input(0)}, bounds));
  }
  const auto bound = [&](const std::optional<float>& number, const char* what) {
    return number ? node.constant(Tensor::scalar(*number).converted(dtype), what) : "";
  };
  node.give(node.add("Clip", {node.input(0), bound(clip.low, "min"), bound(clip.high, "max")}));
}

// To opset 12 everything from the axis on is taken together, so another axis than the last is brought there.
void write_soft(NodeWriter& node) {
  const std::string op(node.node().op.name());
  const auto* softmax = node.node().op.as<ops::Softmax>();
  const int64_t stated = softmax ? softmax->axis : node.settings<ops::LogSoftmax>().axis;
  const size_t rank = node.shape(0).rank(), axis = axis_in(stated, rank);
  if (axis + 1 == rank) {
    const int64_t written = node.opset() >= 13 ? -1 : static_cast<int64_t>(axis);
    return node.give(node.add(op, node.inputs(), {integer("axis", written)}));
  }
  if (node.may_use(13)) return node.give(node.add(op, node.inputs(), {integer("axis", static_cast<int64_t>(axis))}));
  std::vector<int64_t> order;
  for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[axis], order[rank - 1]);
  const std::string turned = node.add("Transpose", node.inputs(), {list("perm", order)});
  const std::string soft = node.add(op, {turned}, {integer("axis", static_cast<int64_t>(rank) - 1)});
  node.give(node.add("Transpose", {soft}, {list("perm", order)}));
}

void write_cast(NodeWriter& node) {
  node.give(node.add("Cast", node.inputs(), {integer("to", element_type_of(node.settings<ops::Cast>().to))}));
}

// Checked here when it runs, which ONNX has no op for: a Gather there counts a negative number from the end.
void write_row_numbers(NodeWriter& node) {
  if (node.value(0).dtype() == DType::Int64) return node.give(node.input(0));
  node.give(node.add("Cast", node.inputs(), {integer("to", element_type_of(DType::Int64))}));
}

void write_step_counts(NodeWriter& node) {
  if (node.value(0).dtype() == DType::Int64) return node.give(node.input(0));
  node.give(node.add("Cast", {node.input(0)}, {integer("to", element_type_of(DType::Int64))}));
}

Values read_tan(NodeReader& node) {
  node.expect_inputs(1, 1);
  return {ops::div(ops::sin(node.input(0)), ops::cos(node.input(0)))};
}

}  // namespace causeway::formats::onnx
