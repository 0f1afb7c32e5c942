#include <algorithm>
#include <limits>
#include <numeric>

#include "causeway/formats/onnx/nodes/lengths.h"
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

namespace {

constexpr int64_t kNowhere = std::numeric_limits<int64_t>::min() / 2;

// An index counted from the start; one out of range leads nowhere, where a Gather refuses it.
Value from_start(const Value& index, const Value& length) {
  const Value counted_on = ops::where(ops::less(index, 0.0), ops::add(index, length), index);
  const Value fits = ops::logical_and(ops::greater_or_equal(counted_on, 0.0), ops::less(counted_on, length));
  return ops::where(fits, counted_on, index.graph().scalar(kNowhere));
}

Value as_int64(const Value& x) { return known_dtype(x) == DType::Int64 ? x : ops::cast(x, DType::Int64); }

// The lengths behind an axis multiplied: how far apart its places lie in a flat x.
Value step_of(const Value& x, size_t axis, size_t end) {
  std::vector<size_t> behind;
  for (size_t i = axis + 1; i < end; ++i) behind.push_back(i);
  return length_of(x, Length::product(behind));
}

Value one_of(const Value& list, int64_t place) { return ops::gather(list, list.graph().scalar(place)); }

Value as_scalar(const Value& x) { return known_rank(x) == 0 ? x : ops::squeeze(x); }

}  // namespace

namespace {

// Where each index of an axis leads in a flat x, for indices that name a place beside their own in the other axes.
Value flat_places(const Value& x, const Value& indices, size_t axis) {
  const size_t rank = known_rank(x);
  Value places;
  for (size_t i = 0; i < rank; ++i) {
    const Value at = i == axis ? from_start(indices, length_of(x, Length::axis(i)))
                               : along(counted(length_of(indices, Length::axis(i))), i, rank);
    const Value far = ops::mul(at, step_of(x, i, rank));
    places = places ? ops::add(places, far) : far;
  }
  return places;
}

ops::PutKind read_reduction(NodeReader& node) {
  const std::string word = node.opset() >= 16 ? node.text("reduction", "none") : "none";
  if (word == "none") return ops::PutKind::Replace;
  if (word == "add") return ops::PutKind::Add;
  if (word == "mul") return ops::PutKind::Mul;
  if (word == "max" && node.opset() >= 18) return ops::PutKind::Max;
  if (word == "min" && node.opset() >= 18) return ops::PutKind::Min;
  unfit("'reduction' is '" + word + "'; none, add and mul are read, and max and min from opset 18.");
}

}  // namespace

// y[i, j, …] = x[i, indices[i, j, …], …] with the index on the axis: looked up in a flat x.
Values read_gather_elements(NodeReader& node) {
  node.expect_inputs(2, 2);
  const Value x = node.input(0), indices = as_int64(node.input(1));
  const size_t rank = known_rank(x), axis = axis_in(node.integer("axis", 0), rank);
  if (known_rank(indices) != rank) {
    unfit("x is " + x.shape().text() + " and its indices " + indices.shape().text() + ", which have one rank.");
  }
  return {ops::gather(ops::reshape(x, {-1}), flat_places(x, indices, axis))};
}

// The last axis of the indices names places along the first axes of x behind the batch: looked up in x with the batch
// and these axes as one.
Values read_gather_nd(NodeReader& node) {
  node.expect_inputs(2, 2);
  const Value x = node.input(0), indices = as_int64(node.input(1));
  const size_t rank = known_rank(x), depth = known_rank(indices);
  const int64_t stated = node.opset() >= 12 ? node.integer("batch_dims", 0) : 0;
  if (stated < 0 || stated >= static_cast<int64_t>(std::min(rank, depth))) {
    unfit("'batch_dims' is " + std::to_string(stated) + ", and x is " + x.shape().text() + ".");
  }
  const auto batch = static_cast<size_t>(stated);
  const std::optional<int64_t> named = indices.shape()[depth - 1].if_number();
  if (!named || *named < 1 || batch + static_cast<size_t>(*named) > rank) {
    unfit("its indices are " + indices.shape().text() + ", whose last axis names places along " + x.shape().text() +
          ".");
  }
  const size_t end = batch + static_cast<size_t>(*named);
  Value places;
  const auto add_up = [&](const Value& at, size_t axis) {
    const Value far = ops::mul(at, step_of(x, axis, end));
    places = places ? ops::add(places, far) : far;
  };
  for (size_t i = 0; i < batch; ++i) add_up(along(counted(length_of(x, Length::axis(i))), i, depth - 1), i);
  for (int64_t j = 0; j < *named; ++j) {
    const size_t axis = batch + static_cast<size_t>(j);
    const Value index = ops::gather(indices, node.graph().scalar(j), -1);
    add_up(from_start(index, length_of(x, Length::axis(axis))), axis);
  }
  std::vector<size_t> taken(end);
  std::iota(taken.begin(), taken.end(), size_t{0});
  std::vector<Length> rows{Length::product(taken)};
  for (size_t axis = end; axis < rank; ++axis) rows.push_back(Length::axis(axis));
  return {ops::gather(reshaped(x, rows), places)};
}

// The other way round: updates are put where the indices lead, in a flat x.
Values read_scatter_elements(NodeReader& node) {
  node.expect_inputs(3, 3);
  const Value x = node.input(0), indices = as_int64(node.input(1));
  const size_t rank = known_rank(x), axis = axis_in(node.integer("axis", 0), rank);
  if (known_rank(indices) != rank) {
    unfit("x is " + x.shape().text() + " and its indices " + indices.shape().text() + ", which have one rank.");
  }
  const ops::Put put{.kind = read_reduction(node)};
  const Value places = ops::reshape(flat_places(x, indices, axis), {-1});
  const Value y = node.graph().add1(put, {ops::reshape(x, {-1}), places, ops::reshape(node.input(2), {-1})});
  return {ops::reshape_like(y, x)};
}
Values read_scatter(NodeReader& node) { return read_scatter_elements(node); }

// The last axis of the indices names places along the first axes of x: put there with these axes as one.
Values read_scatter_nd(NodeReader& node) {
  node.expect_inputs(3, 3);
  const Value x = node.input(0), indices = as_int64(node.input(1));
  const size_t rank = known_rank(x), depth = known_rank(indices);
  const std::optional<int64_t> named = depth == 0 ? std::nullopt : indices.shape()[depth - 1].if_number();
  if (!named || *named < 1 || static_cast<size_t>(*named) > rank) {
    unfit("its indices are " + indices.shape().text() + ", whose last axis names places along " + x.shape().text() +
          ".");
  }
  const auto end = static_cast<size_t>(*named);
  Value places;
  for (size_t axis = 0; axis < end; ++axis) {
    const Value index = ops::gather(indices, node.graph().scalar(static_cast<int64_t>(axis)), -1);
    const Value far = ops::mul(from_start(index, length_of(x, Length::axis(axis))), step_of(x, axis, end));
    places = places ? ops::add(places, far) : far;
  }
  std::vector<size_t> taken(end);
  std::iota(taken.begin(), taken.end(), size_t{0});
  std::vector<Length> rows{Length::product(taken)}, updates{Length::of(-1)};
  for (size_t axis = end; axis < rank; ++axis) {
    rows.push_back(Length::axis(axis));
    updates.push_back(Length::axis(axis));
  }
  const Value put = node.graph().add1(
      ops::Put{.kind = read_reduction(node)},
      {reshaped(x, rows), ops::reshape(places, {-1}), ops::reshape(node.input(2), lengths_of(x, updates))});
  return {ops::reshape_like(put, x)};
}

// k is an attribute to opset 9. What need not be sorted is, all the same.
Values read_top_k(NodeReader& node) {
  const Value x = node.input(0);
  ops::TopK op{.axis = node.integer("axis", -1)};
  if (node.opset() < 10) {
    const std::optional<int64_t> k = node.integer("k");
    if (!k) unfit("'k' is absent.");
    return node.graph().add(op, {x, ops::integers(node.graph(), {*k})});
  }
  node.expect_inputs(2, 2);
  if (node.opset() >= 11) {
    op.largest = node.flag("largest", true);
    node.ignore("sorted");
  }
  return node.graph().add(op, {x, node.input(1)});
}

// values[1] where an index names the place along the new axis, values[0] elsewhere.
Values read_one_hot(NodeReader& node) {
  node.expect_inputs(3, 3);
  const Value depth = as_int64(as_scalar(node.input(1))), values = node.input(2);
  Value indices = as_int64(node.input(0));
  const size_t rank = known_rank(indices) + 1, axis = axis_in(node.integer("axis", -1), rank);
  indices = ops::where(ops::less(indices, 0.0), ops::add(indices, depth), indices);
  const Value is_there =
      ops::equal(ops::unsqueeze(indices, {static_cast<int64_t>(axis)}), along(counted(depth), axis, rank));
  return {ops::where(is_there, one_of(values, 1), one_of(values, 0))};
}

// Running sums along an axis, by doubling the reach: after k steps each place holds the sum of 2^k places to it.
Values read_cum_sum(NodeReader& node) {
  node.expect_inputs(2, 2);
  Value y = node.input(0);
  const bool exclusive = node.flag("exclusive", false), reverse = node.flag("reverse", false);
  const std::optional<std::vector<int64_t>> stated = node.constant_integers(1, "axis");
  if (!stated || stated->size() != 1) unfit("its 'axis' is one number.");
  const size_t rank = known_rank(y), axis = axis_in(stated->front(), rank);
  const std::optional<int64_t> length = y.shape()[axis].if_number();
  if (!length) not_known_yet("x is " + y.shape().text() + ", and sums run along a length that is a number.");
  const auto moved = [&](const Value& x, int64_t by) {
    std::vector<int64_t> pads(2 * rank, 0);
    pads[reverse ? axis : rank + axis] = -by;
    pads[reverse ? rank + axis : axis] = by;
    return node.graph().add1(ops::Pad{}, {x, ops::integers(node.graph(), pads)});
  };
  if (*length == 0) return {y};
  if (exclusive) y = moved(y, 1);
  for (int64_t reach = 1; reach < *length; reach *= 2) y = ops::add(y, moved(y, reach));
  return {y};
}

// 1 at the first largest, 0 elsewhere; to opset 12 along everything from the axis on.
Values read_hardmax(NodeReader& node) {
  node.expect_inputs(1, 1);
  const Value x = node.input(0);
  const bool by_axis = node.opset() >= 13;
  const int64_t axis = node.integer("axis", by_axis ? -1 : 1);
  const Value rows = by_axis ? x : node.graph().add1(ops::Flatten{.axis = axis}, {x});
  const size_t rank = known_rank(rows), at = by_axis ? axis_in(axis, rank) : 1;
  const Value largest = node.graph().add1(ops::ArgMax{.axis = static_cast<int64_t>(at)}, {rows});
  const Value is_there = ops::equal(largest, along(counted(length_of(rows, Length::axis(at))), at, rank));
  return {ops::reshape_like(ops::cast(is_there, known_dtype(x)), x)};
}

void write_put(NodeWriter& node) {
  constexpr const char* kReductions[] = {"none", "add", "mul", "max", "min"};
  const auto& put = node.settings<ops::Put>();
  if (axis_in(put.axis, node.shape(0).rank()) != 0) unfit("it puts along another axis than the first.");
  std::vector<Attribute> attributes;
  node.require(11, "ScatterND");
  if (put.kind != ops::PutKind::Replace) {
    const bool compares = put.kind == ops::PutKind::Max || put.kind == ops::PutKind::Min;
    node.require(compares ? 18 : 16, "'reduction' of ScatterND");
    attributes.push_back(text("reduction", kReductions[static_cast<size_t>(put.kind)]));
  }
  std::vector<std::string> indices{node.input(1)};
  std::vector<Attribute> column;
  node.give_list(13, "axes", {static_cast<int64_t>(node.shape(1).rank())}, indices, column);
  std::string places = node.add("Unsqueeze", indices, column);
  if (node.value(1).dtype() != DType::Int64) places = node.add("Cast", {places}, {integer("to", 7)});
  node.give(node.add("ScatterND", {node.input(0), places, node.input(2)}, attributes));
}

void write_top_k(NodeWriter& node) {
  const auto& op = node.settings<ops::TopK>();
  const auto axis = static_cast<int64_t>(axis_in(op.axis, node.shape(0).rank()));
  std::vector<Attribute> attributes{integer("axis", axis)};
  if (!op.largest || !is_floating(node.value(0).dtype())) node.require(11, "such a TopK");
  if (!op.largest) attributes.push_back(integer("largest", 0));
  std::vector<std::string> inputs{node.input(0)};
  if (const std::optional<std::vector<int64_t>> k = node.known_integers(1); k && k->size() == 1) {
    if (k->front() == 0) unfit("it takes the first 0, and ONNX's TopK takes one at least.");
    if (node.opset() < 10) {
      attributes.push_back(integer("k", k->front()));
    } else {
      inputs.push_back(node.integers(*k, "k"));
    }
  } else {
    node.require(10, "such a TopK");
    inputs.push_back(node.input(1));
  }
  const std::vector<std::string> made = node.add_many("TopK", inputs, attributes, 2);
  node.give(0, made[0]);
  node.give(1, made[1]);
}

}  // namespace causeway::formats::onnx
