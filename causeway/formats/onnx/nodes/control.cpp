#include <algorithm>
#include <limits>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

const FileGraph& body_of(NodeReader& node, std::string_view name) {
  const FileGraph* body = node.body(name);
  if (!body) unfit("'" + std::string(name) + "' is absent, and it is a graph.");
  return *body;
}

bool known_truth(const Value& value) {
  if (!value.type().known || value.type().known->size() != 1) {
    throw NotKnownYet{"its condition is worked out when the network runs, and one that is known beforehand is read.",
                      true};
  }
  return value.type().known->number_at(0) != 0;
}

// Turn after turn, what a body makes of each: put along an axis, in order or from the last to the first.
Value stacked(Values turns, int64_t axis, bool reversed) {
  if (reversed) std::reverse(turns.begin(), turns.end());
  for (Value& turn : turns) turn = ops::unsqueeze(turn, {axis});
  return ops::concat(std::move(turns), axis);
}

int64_t entry(const std::vector<int64_t>& list, size_t i) { return i < list.size() ? list[i] : 0; }

}  // namespace

// The branch that the condition picks; the other is not looked into.
Values read_if(NodeReader& node) {
  node.expect_inputs(1, 1);
  const FileGraph &then_branch = body_of(node, "then_branch"), &else_branch = body_of(node, "else_branch");
  const std::optional<Tensor> condition = node.constant(0, "condition");
  if (!condition || condition->size() != 1) unfit("its condition is no single truth.");
  return node.read_body(condition->number_at(0) != 0 ? then_branch : else_branch, {});
}

// Unrolled: its trip count and, at each turn, its condition are known.
Values read_loop(NodeReader& node) {
  node.expect_inputs(2, std::numeric_limits<size_t>::max());
  const FileGraph& body = body_of(node, "body");
  const std::optional<Tensor> stated = node.constant(0, "trip count");
  const int64_t trips = stated && stated->size() == 1 ? stated->integer_at(0) : std::numeric_limits<int64_t>::max();
  bool goes_on = !node.has_input(1) || known_truth(node.input(1));
  Values carried(node.inputs().begin() + 2, node.inputs().end());
  const size_t count = carried.size(), scans = node.output_count() > count ? node.output_count() - count : 0;
  std::vector<Values> collected(scans);
  for (int64_t trip = 0; trip < trips && goes_on; ++trip) {
    Values inputs{node.graph().scalar(trip), node.graph().constant(Tensor::scalar(true), "goes_on")};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    const Values outputs = node.read_body(body, inputs);
    if (outputs.size() != 1 + count + scans) {
      unfit("its body has " + std::to_string(outputs.size()) + " outputs, and " + std::to_string(1 + count + scans) +
            " are read.");
    }
    if (trip + 1 < trips) goes_on = known_truth(outputs[0]);
    for (size_t i = 0; i < count; ++i) carried[i] = outputs[1 + i];
    for (size_t i = 0; i < scans; ++i) collected[i].push_back(outputs[1 + count + i]);
  }
  for (size_t i = 0; i < scans; ++i) {
    if (collected[i].empty() && node.has_output(count + i)) unfit("it takes no turn, and its series would be empty.");
    carried.push_back(collected[i].empty() ? Value() : stacked(collected[i], 0, false));
  }
  return carried;
}

// States handed on from turn to turn, over series that are taken apart and put together. Unrolled: their length is known.
Values read_scan(NodeReader& node) {
  if (node.opset() < 9) unfit("the batched form of opset 8 is not read.");
  const FileGraph& body = body_of(node, "body");
  const std::optional<int64_t> stated = node.integer("num_scan_inputs");
  const auto inputs = static_cast<int64_t>(node.input_count());
  if (!stated || *stated < 1 || *stated > inputs) unfit("'num_scan_inputs' is absent or out of range.");
  const auto series = static_cast<size_t>(*stated), states = node.input_count() - series;
  const auto numbers = [&](const char* name) { return node.integers(name).value_or(std::vector<int64_t>()); };
  const std::vector<int64_t> in_axes = numbers("scan_input_axes"), out_axes = numbers("scan_output_axes");
  const std::vector<int64_t> in_ways = numbers("scan_input_directions"), out_ways = numbers("scan_output_directions");
  if (node.output_count() < states) unfit("it has fewer outputs than states.");
  const size_t scans = node.output_count() - states;

  std::optional<int64_t> turns;
  for (size_t i = 0; i < series; ++i) {
    const Value x = node.input(states + i);
    const Dim length = x.shape()[axis_in(entry(in_axes, i), known_rank(x), "scan_input_axes")];
    if (!length.is_number()) not_known_yet("a series is " + x.shape().text() + ", and its length is a number.");
    if (turns && *turns != length.number()) unfit("its series have different lengths.");
    turns = length.number();
  }
  Values carried;
  for (size_t i = 0; i < states; ++i) carried.push_back(node.input(i));
  std::vector<Values> collected(scans);
  for (int64_t turn = 0; turn < *turns; ++turn) {
    Values given = carried;
    for (size_t i = 0; i < series; ++i) {
      const int64_t place = entry(in_ways, i) == 1 ? *turns - 1 - turn : turn;
      given.push_back(ops::gather(node.input(states + i), node.graph().scalar(place), entry(in_axes, i)));
    }
    const Values outputs = node.read_body(body, given);
    if (outputs.size() != states + scans) unfit("its body has " + std::to_string(outputs.size()) + " outputs.");
    carried.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(states));
    for (size_t i = 0; i < scans; ++i) collected[i].push_back(outputs[states + i]);
  }
  for (size_t i = 0; i < scans; ++i) {
    if (collected[i].empty()) unfit("it takes no turn, and its series would be empty.");
    carried.push_back(stacked(collected[i], entry(out_axes, i), entry(out_ways, i) == 1));
  }
  return carried;
}

}  // namespace causeway::formats::onnx
