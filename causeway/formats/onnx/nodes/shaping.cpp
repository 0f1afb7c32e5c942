#include <algorithm>
#include <limits>
#include <numeric>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

// Axes are an attribute to opset 12, and an input from 13.
std::optional<std::vector<int64_t>> axes_of(NodeReader& node) {
  return node.opset() < 13 ? node.integers("axes") : node.constant_integers(1, "axes");
}

Value list(NodeReader& node, const std::vector<int64_t>& numbers) { return ops::integers(node.graph(), numbers); }

}  // namespace

Values read_reshape(NodeReader& node) {
  if (node.opset() < 5) {
    const std::optional<std::vector<int64_t>> shape = node.integers("shape");
    if (!shape) unfit("'shape' is absent.");
    return {ops::reshape(node.input(0), *shape)};
  }
  node.expect_inputs(2, 2);
  const bool allow_zero = node.opset() >= 14 && node.flag("allowzero", false);
  return node.graph().add(ops::Reshape{.allow_zero = allow_zero}, {node.input(0), node.input(1)});
}

Values read_flatten(NodeReader& node) {
  node.expect_inputs(1, 1);
  return node.graph().add(ops::Flatten{.axis = node.integer("axis", 1)}, {node.input(0)});
}

Values read_squeeze(NodeReader& node) {
  const std::vector<int64_t> axes = axes_of(node).value_or(std::vector<int64_t>());
  return node.graph().add(ops::Squeeze{.axes = axes}, {node.input(0)});
}

Values read_unsqueeze(NodeReader& node) {
  const std::optional<std::vector<int64_t>> axes = axes_of(node);
  if (!axes) unfit("its 'axes' are absent.");
  return node.graph().add(ops::Unsqueeze{.axes = *axes}, {node.input(0)});
}

Values read_transpose(NodeReader& node) {
  node.expect_inputs(1, 1);
  std::vector<size_t> axes;
  for (const int64_t axis : node.integers("perm").value_or(std::vector<int64_t>())) {
    if (axis < 0) unfit("'perm' names axis " + std::to_string(axis) + ".");
    axes.push_back(static_cast<size_t>(axis));
  }
  return node.graph().add(ops::Transpose{.axes = axes}, {node.input(0)});
}

Values read_concat(NodeReader& node) {
  node.expect_inputs(1, std::numeric_limits<size_t>::max());
  const std::optional<int64_t> axis = node.integer("axis");
  if (!axis && node.opset() >= 4) unfit("'axis' is absent.");
  Values parts;
  for (size_t i = 0; i < node.input_count(); ++i) parts.push_back(node.input(i));
  return node.graph().add(ops::Concat{.axis = axis.value_or(1)}, parts);
}

Values read_tile(NodeReader& node) {
  if (node.opset() < 6) unfit("the form of opset 1, with 'tiles' and 'axis' as inputs, is not read.");
  node.expect_inputs(2, 2);
  return node.graph().add(ops::Tile{}, {node.input(0), node.input(1)});
}

Values read_expand(NodeReader& node) {
  node.expect_inputs(2, 2);
  return {ops::expand(node.input(0), node.input(1))};
}

// Lengths are an attribute to opset 12 and an input from 13; otherwise the parts are equal, the last one shorter where
// 'num_outputs' (from 18) does not divide.
Values read_split(NodeReader& node) {
  const Value x = node.input(0);
  const int64_t axis = node.integer("axis", 0);
  std::optional<std::vector<int64_t>> lengths;
  if (node.opset() < 13) {
    lengths = node.integers("split");
    if (!lengths) lengths = node.constant_integers(1, "split");
  } else {
    lengths = node.constant_integers(1, "split");
  }
  auto parts = static_cast<int64_t>(node.output_count());
  if (node.opset() >= 18) {
    const std::optional<int64_t> stated = node.integer("num_outputs");
    if (stated && lengths) unfit("'num_outputs' and 'split' both say the parts.");
    if (stated && *stated != parts) {
      unfit("'num_outputs' is " + std::to_string(*stated) + ", and it has " + std::to_string(parts) + " outputs.");
    }
  }
  if (!lengths) {
    const Dim length = x.shape()[axis_in(axis, known_rank(x))];
    if (!length.is_number()) {
      not_known_yet("x is " + x.shape().text() + ", and equal parts are made of a length that is a number.");
    }
    if (parts < 1 || (length.number() % parts != 0 && node.opset() < 18)) {
      unfit("x is " + x.shape().text() + ", which does not fall into " + std::to_string(parts) + " equal parts.");
    }
    const int64_t each = (length.number() + parts - 1) / parts;
    lengths.emplace();
    for (int64_t at = 0; at < parts; ++at) {
      lengths->push_back(std::clamp<int64_t>(length.number() - at * each, 0, each));
    }
  }
  return ops::split(x, *lengths, axis);
}

Values read_slice(NodeReader& node) {
  const Value x = node.input(0);
  if (node.opset() >= 10) {
    node.expect_inputs(3, 5);
    Values inputs{x, node.input(1), node.input(2), node.input_or_none(3), node.input_or_none(4)};
    while (!inputs.back()) inputs.pop_back();
    return node.graph().add(ops::Slice{}, inputs);
  }
  const std::optional<std::vector<int64_t>> starts = node.integers("starts"), ends = node.integers("ends");
  if (!starts || !ends || starts->size() != ends->size()) unfit("'starts' and 'ends' are not lists of one length.");
  std::vector<int64_t> axes(starts->size());
  std::iota(axes.begin(), axes.end(), int64_t{0});
  axes = node.integers("axes").value_or(axes);
  return node.graph().add(ops::Slice{}, {x, list(node, *starts), list(node, *ends), list(node, axes)});
}

namespace {

// Axes counted from the start, which every set reads.
std::vector<int64_t> from_start(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<int64_t> counted;
  for (const int64_t axis : axes) counted.push_back(static_cast<int64_t>(axis_in(axis, rank)));
  return counted;
}

}  // namespace

void write_reshape(NodeWriter& node) {
  const bool allow_zero = node.settings<ops::Reshape>().allow_zero;
  const std::optional<std::vector<int64_t>> lengths = node.known_integers(1);
  const bool has_zero = !lengths || std::find(lengths->begin(), lengths->end(), 0) != lengths->end();
  std::vector<Attribute> attributes;
  if (allow_zero && has_zero) {
    node.require(14, "a Reshape to a length of 0");
    attributes.push_back(integer("allowzero", 1));
  }
  node.give(node.add("Reshape", node.inputs(), attributes));
}

void write_flatten(NodeWriter& node) {
  int64_t axis = node.settings<ops::Flatten>().axis;
  if (axis < 0) axis += static_cast<int64_t>(node.shape(0).rank());
  node.give(node.add("Flatten", node.inputs(), {integer("axis", axis)}));
}

void write_squeeze(NodeWriter& node) {
  std::vector<std::string> inputs = node.inputs();
  std::vector<Attribute> attributes;
  const std::vector<int64_t>& axes = node.settings<ops::Squeeze>().axes;
  if (!axes.empty()) node.give_list(13, "axes", from_start(axes, node.shape(0).rank()), inputs, attributes);
  node.give(node.add("Squeeze", inputs, attributes));
}

void write_unsqueeze(NodeWriter& node) {
  std::vector<std::string> inputs = node.inputs();
  std::vector<Attribute> attributes;
  const std::vector<int64_t>& axes = node.settings<ops::Unsqueeze>().axes;
  node.give_list(13, "axes", from_start(axes, node.shape(0).rank() + axes.size()), inputs, attributes);
  node.give(node.add("Unsqueeze", inputs, attributes));
}

void write_transpose(NodeWriter& node) {
  const std::vector<size_t>& axes = node.settings<ops::Transpose>().axes;
  std::vector<Attribute> attributes;
  if (!axes.empty()) attributes.push_back(list("perm", {axes.begin(), axes.end()}));
  node.give(node.add("Transpose", node.inputs(), attributes));
}

void write_concat(NodeWriter& node) {
  const auto axis = static_cast<int64_t>(axis_in(node.settings<ops::Concat>().axis, node.shape(0).rank()));
  node.give(node.add("Concat", node.inputs(), {integer("axis", axis)}));
}

void write_split(NodeWriter& node) {
  const auto axis = static_cast<int64_t>(axis_in(node.settings<ops::Split>().axis, node.shape(0).rank()));
  std::vector<std::string> inputs{node.input(0)};
  std::vector<Attribute> attributes{integer("axis", axis)};
  const bool is_open = !node.known_integers(1);
  if (is_open) node.require(13, "such a Split");
  if (is_open || node.opset() >= 13) {
    inputs.push_back(node.input(1));
  } else {
    attributes.push_back(list("split", node.stated_integers(1, "lengths")));
  }
  const std::vector<std::string> parts = node.add_many("Split", inputs, attributes, node.node().outputs.size());
  for (size_t i = 0; i < parts.size(); ++i) node.give(i, parts[i]);
}

void write_slice(NodeWriter& node) {
  const std::optional<std::vector<int64_t>> steps = node.known_integers(4);
  const bool is_by_one = steps && std::all_of(steps->begin(), steps->end(), [](int64_t step) { return step == 1; });
  const bool has_steps = node.value(4) && !is_by_one;
  const bool is_newer = has_steps || !node.known_integers(1) || !node.known_integers(2);
  if (is_newer) node.require(10, "such a Slice");
  if (is_newer || node.opset() >= 10) return node.give(node.add("Slice", node.inputs()));
  std::vector<Attribute> attributes{list("starts", node.stated_integers(1, "starts")),
                                    list("ends", node.stated_integers(2, "ends"))};
  if (node.value(3))
    attributes.push_back(list("axes", from_start(node.stated_integers(3, "axes"), node.shape(0).rank())));
  node.give(node.add("Slice", {node.input(0)}, attributes));
}

namespace {

int64_t read_block(NodeReader& node) {
  const int64_t block = node.integer("blocksize", 0);
  if (block < 1) unfit("'blocksize' is " + std::to_string(block) + ", and a block has at least one cell.");
  if (known_rank(node.input(0)) != 4) unfit("x is " + node.input(0).shape().text() + ", and it is [N, C, H, W].");
  return block;
}

void expect_division(const Dim& length, int64_t parts, const char* what) {
  if (length.is_number() && length.number() % parts != 0) {
    unfit(std::string(what) + " are " + length.text() + ", which does not divide by " + std::to_string(parts) + ".");
  }
}

}  // namespace

// Channels become places, block by block: their numbers are [row in block, column in block, channel] (DCR) or
// [channel, row in block, column in block] (CRD).
Values read_depth_to_space(NodeReader& node) {
  node.expect_inputs(1, 1);
  const int64_t block = read_block(node);
  const std::string mode = node.opset() >= 11 ? node.text("mode", "DCR") : "DCR";
  if (mode != "DCR" && mode != "CRD") unfit("'mode' is '" + mode + "'; DCR and CRD are read.");
  const Value x = node.input(0);
  expect_division(x.shape()[1], block * block, "its channels");
  const Length side = Length::of(block), channels = Length::axis(1, 1, block * block);
  const Length n = Length::axis(0), h = Length::axis(2), w = Length::axis(3);
  const bool depth_first = mode == "DCR";
  const Value apart =
      depth_first ? reshaped(x, {n, side, side, channels, h, w}) : reshaped(x, {n, channels, side, side, h, w});
  const Value turned =
      depth_first ? ops::transpose(apart, {0, 3, 4, 1, 5, 2}) : ops::transpose(apart, {0, 1, 4, 2, 5, 3});
  return {ops::reshape(turned, lengths_of(x, {n, channels, Length::axis(2, block), Length::axis(3, block)}))};
}

Values read_space_to_depth(NodeReader& node) {
  node.expect_inputs(1, 1);
  const int64_t block = read_block(node);
  const Value x = node.input(0);
  expect_division(x.shape()[2], block, "its rows");
  expect_division(x.shape()[3], block, "its columns");
  const Length side = Length::of(block), h = Length::axis(2, 1, block), w = Length::axis(3, 1, block);
  const Value apart = reshaped(x, {Length::axis(0), Length::axis(1), h, side, w, side});
  const Value turned = ops::transpose(apart, {0, 3, 5, 1, 2, 4});
  return {ops::reshape(turned, lengths_of(x, {Length::axis(0), Length::axis(1, block * block), h, w}))};
}

// The upper or lower triangle, k diagonals up; zeros elsewhere.
Values read_trilu(NodeReader& node) {
  node.expect_inputs(1, 2);
  const Value x = node.input(0);
  const bool upper = node.flag("upper", true);
  const size_t rank = known_rank(x);
  if (rank < 2) unfit("x is " + x.shape().text() + ", and it ends in matrices.");
  const Value rows = along(counted(length_of(x, Length::axis(rank - 2))), 0, 2);
  const Value columns = along(counted(length_of(x, Length::axis(rank - 1))), 1, 2);
  Value diagonal = ops::sub(columns, rows);
  if (node.has_input(1)) {
    const Value k = node.input(1);
    diagonal = ops::sub(diagonal, known_rank(k) == 0 ? k : ops::squeeze(k));
  }
  const Value inside = upper ? ops::greater_or_equal(diagonal, 0.0) : ops::less_or_equal(diagonal, 0.0);
  if (known_dtype(x) == DType::Bool) return {ops::logical_and(x, inside)};
  return {ops::where(inside, x, 0.0)};
}

}  // namespace causeway::formats::onnx
