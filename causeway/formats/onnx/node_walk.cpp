#include "causeway/formats/onnx/node_walk.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/bound_node.h"
#include "causeway/formats/onnx/layer_scopes.h"
#include "causeway/formats/onnx/node_table.h"
#include "causeway/ops/elementary.h"
#include "causeway/ops/shape_of.h"

namespace causeway::formats::onnx {
namespace {

/// What decides a node's settings is a short piece of shape arithmetic; more is not looked through.
constexpr size_t kMostVisited = 1000;
/// As many nodes as a file may have, its functions written out and its loops unrolled.
constexpr size_t kMostNodes = 100'000;
/// And as many as all of these may be spelled out to.
constexpr size_t kMostMade = 1'000'000;

bool has_infinity(const Tensor& numbers) {
  for (int64_t i = 0; i < numbers.size(); ++i) {
    if (std::isinf(numbers.number_at(i))) return true;
  }
  return false;
}

bool measures(const PlannedNode& planned, size_t input) {
  return planned.node.op == "BatchNormalization" && planned.node.domain.empty() && (input == 3 || input == 4);
}

}  // namespace

PlannedGraph::PlannedGraph(GraphPlan planned) : plan(std::move(planned)), uses(slot_uses(plan)) {
  for (const PlannedNode& node : plan.nodes) {
    for (const std::string& input : node.node.inputs) ++readers[input];
  }
}

// Counts a node or a turn of a body, which may be empty. Past the limit reading ends at once.
void NodeWalk::count(const PlannedNode& planned) {
  if (++reading_.nodes_read > kMostNodes || reading_.builder.nodes().size() > kMostMade) {
    throw Refused(planned.where, "with its loops and series unrolled the file has more than " +
                                     std::to_string(kMostNodes) + " nodes.");
  }
}

void NodeWalk::read_nodes() {
  for (const PlannedNode& planned : graph_.plan.nodes) {
    count(planned);
    read_node(planned);
  }
}

// The values of a node's outputs; empty where it is refused.
Values NodeWalk::outputs_of(const PlannedNode& planned, Values inputs) {
  ReadingContext context{reading_.builder, reading_.faults, reading_.notes, reading_.from_pytorch,
                         reading_.computed(DType::Float64)};
  context.read_body = [&](const FileGraph& body, const Values& given) { return read_body(planned, body, given); };
  NodeReader node(planned, std::move(inputs), context);
  const size_t faults_before = reading_.faults.size();
  Values outputs;
  const auto read_or_wait = [&] {
    try {
      return read_by_table(planned, node);
    } catch (const NotKnownYet& unknown) {
      return read_when_bound(planned, node, unknown);
    }
  };
  try {
    outputs = read_or_wait();
  } catch (const Unfit& unfit) {
    // A fault without words follows another, which has them.
    if (std::string_view(unfit.what()) != "") node.refuse(unfit.what());
  }
  if (reading_.faults.size() > faults_before) return {};
  outputs.resize(std::max(outputs.size(), planned.node.outputs.size()));
  for (size_t i = 0; i < planned.node.outputs.size(); ++i) {
    if (outputs[i] || planned.node.outputs[i].empty()) continue;
    node.refuse("its output " + std::to_string(i) + ", " + quoted(planned.node.outputs[i]) + ", is not made here.");
  }
  return outputs;
}

void NodeWalk::read_node(const PlannedNode& planned) {
  const ScopeGuard scope = reading_.builder.scope_of(planned.scope);
  Values inputs;
  for (size_t i = 0; i < planned.node.inputs.size(); ++i) inputs.push_back(input_of(planned, i));
  const Values outputs = outputs_of(planned, std::move(inputs));
  for (size_t i = 0; i < planned.node.outputs.size(); ++i) {
    values_[planned.node.outputs[i]] = i < outputs.size() && outputs[i] ? outputs[i] : unknown();
  }
}

Values NodeWalk::read_bound(const PlannedNode& planned, Values inputs) {
  Values outputs = outputs_of(planned, std::move(inputs));
  for (Value& output : outputs) {
    if (!output) output = outputs.front();  // an absent output is read by nothing
  }
  return outputs;
}

Values NodeWalk::read_by_table(const PlannedNode& planned, NodeReader& node) {
  if (planned.opset == 0) {
    unfit("the file imports no operators of its domain, " + quoted(planned.node.domain) + ".");
  }
  if (!planned.node.domain.empty()) unfit("no op of the domain " + quoted(planned.node.domain) + " is read.");
  if (const std::string_view why = refused_op(planned.node.op); !why.empty()) unfit(std::string(why));
  const NodeRow* row = node_row(planned.node.op);
  if (!row || !row->read) unfit(no_such_op(planned.node.op));
  if (planned.opset < row->oldest) {
    unfit("this op is of opset " + std::to_string(row->oldest) + " on, and the file asks for " +
          std::to_string(planned.opset) + ".");
  }
  Values outputs = row->read(node);
  node.refuse_unknown_attributes();
  return outputs;
}

// A node that waits until the graph is bound: what decides it follows from lengths, or from inputs of the network.
Values NodeWalk::read_when_bound(const PlannedNode& planned, NodeReader& node, const NotKnownYet& unknown) {
  // Behind a refused node everything is unknown, and says nothing new.
  if (!reading_.faults.empty()) unfit("");
  if (reading_.is_bound) unfit(unknown.what);
  BoundNode bound{.planned = std::make_shared<const PlannedNode>(planned),
                  .functions = reading_.functions,
                  .captured = captured_names(planned.node),
                  .from_pytorch = reading_.from_pytorch,
                  .keeps_double = reading_.keeps_double};
  const bool has_condition = planned.node.op == "If" || planned.node.op == "Loop";
  const size_t first = has_condition ? 0 : 1,
               end = has_condition ? std::min<size_t>(2, node.input_count()) : node.input_count();
  for (size_t i = first; unknown.by_numbers && i < end; ++i) {
    const Value input = node.input_or_none(i);
    if (!input || input.kind() == Value::Kind::Slot || input.type().known) continue;
    if (!is_made_of_inputs(input)) unfit(unknown.what);
    bound.decides.push_back(i);
  }
  Values inputs = node.inputs();
  for (const std::string& name : bound.captured) inputs.push_back(value(name));
  return reading_.builder.add(std::move(bound), std::move(inputs));
}

// Whether a value follows from inputs of the network and constants, no learned slot among them.
bool NodeWalk::is_made_of_inputs(const Value& value) const {
  std::vector<Value> to_visit{value};
  for (size_t visited = 0; !to_visit.empty(); ++visited) {
    const Value at = to_visit.back();
    to_visit.pop_back();
    if (visited > kMostVisited) return false;
    if (at.kind() == Value::Kind::Slot && reading_.slots.at(at.name()).role != Role::Constant) return false;
    if (!at.node() || at.node()->op.is<ops::ShapeOf>()) continue;  // lengths are known once the graph is bound
    for (const Value& input : at.node()->inputs) {
      if (input) to_visit.push_back(input);
    }
  }
  return true;
}

// One turn of a body: its inputs given, its nodes read, its outputs handed out.
Values NodeWalk::read_body(const PlannedNode& planned, const FileGraph& body, const Values& inputs) {
  const std::shared_ptr<const PlannedGraph> graph = plan_of(planned, body);
  const GraphPlan* plan = &graph->plan;
  if (plan->inputs.size() != inputs.size()) {
    unfit("its body has " + std::to_string(plan->inputs.size()) + " inputs, and it is handed " +
          std::to_string(inputs.size()) + ".");
  }
  count(planned);
  const size_t faults_before = reading_.faults.size();
  NodeWalk walk(reading_, *graph, this);
  for (size_t i = 0; i < inputs.size(); ++i) walk.give(plan->inputs[i].name, inputs[i]);
  walk.read_nodes();
  Values outputs;
  for (const FileDoor& output : plan->outputs) outputs.push_back(walk.value(output.name));
  if (reading_.faults.size() > faults_before) unfit("");  // said at the nodes inside
  return outputs;
}

std::shared_ptr<const PlannedGraph> NodeWalk::plan_of(const PlannedNode& planned, const FileGraph& body) {
  std::shared_ptr<const PlannedGraph>& known = reading_.bodies[&body];
  if (known) return known;
  FileModel inner{.opsets = *planned.opsets, .graph = body};
  if (reading_.functions) inner.functions = *reading_.functions;
  GraphPlan plan = plan_graph(std::move(inner), reading_.faults, reading_.notes,
                              {planned.where + ", inner ", [this](const std::string& name) { return knows(name); }});
  name_layers(plan, planned.scope);
  return known = std::make_shared<const PlannedGraph>(std::move(plan));
}

// A value behind a refused node: it fits everything.
Value NodeWalk::unknown() { return reading_.builder.add_typed(ops::Identity{}, {}, {Type{}})[0]; }

bool NodeWalk::knows(const std::string& name) const {
  return values_.count(name) != 0 || graph_.plan.initializer(name) || (outer_ && outer_->knows(name));
}

Value NodeWalk::value(const std::string& name) {
  if (const auto at = values_.find(name); at != values_.end()) return at->second;
  if (const FileTensor* tensor = graph_.plan.initializer(name)) return values_[name] = initializer(name, *tensor);
  return outer_ && outer_->knows(name) ? outer_->value(name) : values_[name] = unknown();
}

Value NodeWalk::initializer(const std::string& name, const FileTensor& tensor) {
  if (!tensor.numbers) return unknown();
  const auto known = graph_.uses.find(name);  // an output may be an initializer that no node reads
  SlotUseInFile use = known == graph_.uses.end() ? SlotUseInFile{} : known->second;
  const auto readers = graph_.readers.find(name);
  if (use.role == Role::Measured && !use.is_stated && readers != graph_.readers.end() && readers->second > 1)
    use.role = Role::Learned;
  return declared(tensor, use, false);
}

Value NodeWalk::input_of(const PlannedNode& planned, size_t i) {
  const std::string& name = planned.node.inputs[i];
  if (name.empty()) return {};
  // A running statistic is assigned by its own layer alone, whatever else reads the same initializer.
  const FileTensor* tensor = graph_.plan.initializer(name);
  const auto use = graph_.uses.find(name);
  const bool is_stated = use != graph_.uses.end() && use->second.is_stated;
  if (tensor && tensor->numbers && measures(planned, i) && graph_.readers.at(name) > 1 && !is_stated) {
    return declared(*tensor, {Role::Measured, i == 3 ? "running_mean" : "running_var", planned.scope.path}, true);
  }
  return value(name);
}

Value NodeWalk::declared(const FileTensor& tensor, const SlotUseInFile& use, bool is_copy) {
  if (const auto at = reading_.declared.find(&tensor); at != reading_.declared.end() && !is_copy) return at->second;
  const DType dtype = tensor.numbers->dtype(), computed = reading_.computed(dtype);
  const bool is_constant = reading_.is_bound || use.role == Role::Constant || !is_floating(dtype) ||
                           (use.by_arithmetic && has_infinity(*tensor.numbers));
  reading_.computes_in_less = reading_.computes_in_less || computed != dtype;
  std::string path = tensor.name;
  if (!is_constant && !use.is_stated && (is_copy || is_made_up(tensor.name))) {
    path = use.layer.empty() ? use.what : use.layer + "." + use.what;
  }
  Slot slot{.path = reading_.slots.free_path(std::move(path)), .role = Role::Constant};
  if (is_constant) {
    slot.numbers = computed == dtype ? *tensor.numbers : tensor.numbers->converted(computed);
  } else {
    slot.role = use.role;
    // The numbers come in through load(); until then any of the same lengths stand there.
    slot.numbers =
        dtype == DType::Float32 ? *tensor.numbers : Tensor::uninitialized(DType::Float32, tensor.numbers->lengths());
    reading_.entries.push_back({slot.path, *tensor.numbers, {}, "initializer " + quoted(tensor.name)});
  }
  const Value value = reading_.builder.declare(std::move(slot));
  if (!is_copy) reading_.declared[&tensor] = value;
  return value;
}

}  // namespace causeway::formats::onnx
