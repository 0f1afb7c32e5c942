#include <algorithm>
#include <limits>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/pad.h"

namespace causeway::formats::onnx {
namespace {

ops::PadMode pad_mode(NodeReader& node) {
  const std::string mode = node.text("mode", "constant");
  if (mode == "constant") return ops::PadMode::Constant;
  if (mode == "reflect") return ops::PadMode::Reflect;
  if (mode == "edge") return ops::PadMode::Edge;
  if (mode == "wrap" && node.opset() >= 18) {
    if (node.opset() == 18) node.note("'mode' is 'wrap', which opset 18 lacks; it is read as opset 19 has it.");
    return ops::PadMode::Wrap;
  }
  unfit("'mode' is '" + mode + "'; constant, reflect and edge are read, and wrap from opset 19.");
}

// Pads of some axes as pads of all.
std::vector<int64_t> spread_pads(const std::vector<int64_t>& pads, const std::vector<int64_t>& axes, size_t rank) {
  if (pads.size() != 2 * axes.size()) {
    unfit("'pads' is " + text_of(pads) + ", and " + std::to_string(axes.size()) + " axes have two each.");
  }
  std::vector<int64_t> all(2 * rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = axis_in(axes[i], rank, "axes");
    all[axis] = pads[i];
    all[rank + axis] = pads[axes.size() + i];
  }
  return all;
}

// Places of an axis, from the end where negative.
std::string part(NodeWriter& node, const std::string& x, int64_t axis, int64_t start, int64_t end) {
  std::vector<std::string> inputs{x};
  std::vector<Attribute> attributes;
  node.give_list(10, "starts", {start}, inputs, attributes);
  node.give_list(10, "ends", {end}, inputs, attributes);
  node.give_list(10, "axes", {axis}, inputs, attributes);
  return node.add("Slice", inputs, attributes);
}

// Below opset 19: each axis with its last places before it and its first behind it.
std::string wrapped(NodeWriter& node, const std::vector<int64_t>& pads) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  std::string y = node.input(0);
  const size_t rank = pads.size() / 2;
  for (size_t i = 0; i < rank; ++i) {
    const auto axis = static_cast<int64_t>(i);
    const int64_t before = pads[i], after = pads[rank + i];
    std::vector<std::string> parts;
    if (before > 0) parts.push_back(part(node, y, axis, -before, kEnd));
    parts.push_back(y);
    if (after > 0) parts.push_back(part(node, y, axis, 0, after));
    if (parts.size() > 1) y = node.add("Concat", parts, {integer("axis", axis)});
  }
  return y;
}

}  // namespace

// Pads are an attribute ('paddings' in opset 1) to opset 10, and inputs from 11, for some axes from 18.
Values read_pad(NodeReader& node) {
  const Value x = node.input(0);
  const ops::Pad op{.mode = pad_mode(node)};
  if (node.opset() < 11) {
    const std::optional<std::vector<int64_t>> pads = node.integers(node.opset() < 2 ? "paddings" : "pads");
    if (!pads) unfit("'pads' is absent.");
    Values inputs{x, ops::integers(node.graph(), *pads)};
    const float value = node.real("value", 0.0f);
    if (value != 0) inputs.push_back(node.graph().scalar(value));
    return node.graph().add(op, inputs);
  }
  node.expect_inputs(2, 4);
  Value pads = node.input(1);
  if (node.opset() >= 18 && node.has_input(3)) {
    const std::vector<int64_t> axes = *node.constant_integers(3, "axes");
    pads = ops::integers(node.graph(), spread_pads(*node.constant_integers(1, "pads"), axes, known_rank(x)));
  } else if (node.input_count() > 3) {
    unfit("'axes' is an input from opset 18 on.");
  }
  Values inputs{x, pads};
  if (node.has_input(2)) {
    Value value = node.input(2);
    if (value.shape().has_rank() && value.shape().rank() == 1) value = ops::squeeze(value);
    inputs.push_back(value);
  }
  return node.graph().add(op, inputs);
}

void write_pad(NodeWriter& node) {
  constexpr const char* kModes[] = {"constant", "reflect", "edge", "wrap"};
  const ops::PadMode mode = node.settings<ops::Pad>().mode;
  const DType dtype = node.value(0).dtype();
  expect_dtype(node, 0, !is_floating(dtype), dtype == DType::Bool ? 13 : 11);
  if (const auto pads = node.known_integers(1); mode == ops::PadMode::Wrap && pads) {
    const bool crops = std::any_of(pads->begin(), pads->end(), [](int64_t places) { return places < 0; });
    if (crops) unfit("it crops and wraps at once, and programs that read ONNX differ on which comes first.");
  }
  if (mode == ops::PadMode::Wrap && !node.may_use(19)) return node.give(wrapped(node, node.stated_integers(1, "pads")));
  const Attribute word = text("mode", kModes[static_cast<size_t>(mode)]);
  const bool is_open = !node.known_integers(1);
  if (is_open) node.require(11, "such a Pad");
  if (is_open || node.opset() >= 11) return node.give(node.add("Pad", node.inputs(), {word}));
  std::vector<Attribute> attributes{word, list("pads", node.stated_integers(1, "pads"))};
  if (const Value value = node.value(2)) {
    if (!value.type().known) unfit("its value is worked out when it runs, and this set has it as an attribute.");
    attributes.push_back(real("value", static_cast<float>(value.type().known->number_at(0))));
  }
  node.give(node.add("Pad", {node.input(0)}, attributes));
}

}  // namespace causeway::formats::onnx
