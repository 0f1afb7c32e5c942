#include "causeway/passes/bind.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/shape_of.h"
#include "causeway/reference/reference.h"

namespace causeway::passes {
namespace {

// Folding makes no tensor larger than this out of smaller ones.
constexpr size_t kFoldedBytes = size_t{16} << 20;

using Names = std::map<std::string, int64_t, std::less<>>;

bool fits(const Shape& shape, const std::vector<int64_t>& lengths) {
  for (size_t axis = 0; axis < lengths.size(); ++axis) {
    if (shape[axis].is_number() && shape[axis].number() != lengths[axis]) return false;
  }
  return true;
}

// What would make an array fit that does not: one row alone, or its channels brought to where the input has them. ""
// where neither would.
std::string way_out(const Shape& shape, std::vector<int64_t> given) {
  if (given.size() + 1 == shape.rank()) {
    given.insert(given.begin(), 1);
    return fits(shape, given) ? " One row alone is " + text_of(given) + "." : "";
  }
  if (given.size() != shape.rank() || given.size() < 3) return "";
  std::vector<int64_t> order(given.size()), lengths = given;
  std::iota(order.begin(), order.end(), int64_t{0});
  for (const bool to_last : {true, false}) {
    std::vector<int64_t> turned = order;
    const auto from = turned.begin() + (to_last ? 1 : static_cast<std::ptrdiff_t>(turned.size()) - 1);
    if (to_last) {
      std::rotate(from, from + 1, turned.end());
    } else {
      std::rotate(turned.begin() + 1, from, turned.end());
    }
    for (size_t axis = 0; axis < given.size(); ++axis) lengths[axis] = given[static_cast<size_t>(turned[axis])];
    if (!fits(shape, lengths)) continue;
    return " With its axes in the order " + text_of(turned) + " it fits; or turn the network's doors to channels " +
           (to_last ? "first." : "last.");
  }
  return "";
}

// Binds the names in the inputs' shapes; every fault of the inputs goes to `faults`.
Names bind_names(const Graph& graph, const Lengths& to, std::vector<Fault>& faults) {
  Names names;
  std::map<std::string, std::string, std::less<>> bound_by;
  for (const Door& door : graph.inputs()) {
    const std::string where = "input " + quoted(door.name);
    const auto given = to.lengths.find(door.name);
    if (given == to.lengths.end()) {
      faults.push_back({where, "nothing is handed to it, and the network takes " + door.value.type().text() + "."});
      continue;
    }
    const Shape& shape = door.value.shape();
    if (!shape.has_rank()) continue;
    const auto misfit = [&] {
      faults.push_back({where, "it is " + text_of(given->second) + " here, and the network takes " + shape.text() +
                                   (door.axes.empty() ? "" : " (" + door.axes + ")") + "." +
                                   way_out(shape, given->second)});
    };
    if (given->second.size() != shape.rank()) {
      misfit();
      continue;
    }
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      const Dim& dim = shape[axis];
      const int64_t length = given->second[axis];
      const std::string name = dim.is_symbolic() ? dim.text() : "";
      if (dim.is_symbolic() && dim.names() == std::vector<std::string>{name}) {
        const auto [at, is_new] = names.try_emplace(name, length);
        if (is_new) {
          bound_by[name] = door.name;
        } else if (at->second != length) {
          faults.push_back({where, "its length " + quoted(name) + " is " + std::to_string(length) +
                                       ", and that of input " + quoted(bound_by[name]) + " is " +
                                       std::to_string(at->second) + "."});
        }
      } else if (dim.is_number() && dim.number() != length) {
        misfit();
        break;
      }
    }
  }
  return names;
}

bool is_bound(const Type& type) { return type.dtype != DType::Unknown && type.shape.is_bound(); }

// One walk over a graph that makes the bound one.
class Binder {
 public:
  Binder(const Graph& graph, Slots& slots, const Lengths& to) : graph_(graph), to_(to) {
    for (size_t i = 0; i < slots.size(); ++i) made_.slots.share(slots.shared(i));
  }

  BoundGraph run() {
    bind_names(graph_, to_, faults_);
    refuse_if_any(std::move(faults_));
    faults_.clear();
    GraphBuilder builder(made_.slots);
    builder.fold_with(reference::folder());  // for what stands for expanded nodes
    ValueMap values;
    for (const Door& door : graph_.inputs()) values[door.value] = bind_input(builder, door);
    for (const SlotUse& use : graph_.slots()) {
      const Value value = values[use.value] = builder.slot(use.path);
      const Slot& slot = made_.slots.at(use.path);
      if (slot.role == Role::Constant) constants_[value] = slot.numbers;
    }
    const NodeRule rule = [&](GraphBuilder& into, const Node& node, const Values& inputs) {
      return std::optional<Values>(bind_node(into, node, inputs));
    };
    values = copy_nodes(builder, graph_, rule, std::move(values));
    refuse_if_any(std::move(faults_.empty() ? left_open_ : faults_));
    for (const Door& door : graph_.outputs()) builder.output(door.name, values.at(door.value), door.axes);
    for (const Assignment& assigned : graph_.assignments()) builder.assign(assigned.path, values.at(assigned.value));
    for (const Value& guard : graph_.guards()) builder.guard(values.at(guard));
    made_.graph = std::move(builder).finish();
    return std::move(made_);
  }

 private:
  Value bind_input(GraphBuilder& builder, const Door& door) {
    const std::vector<int64_t>& lengths = to_.lengths.find(door.name)->second;
    const Value input = builder.input(door.name, {door.value.dtype(), Shape::of(lengths)}, door.axes);
    const auto value = to_.values.find(door.name);
    if (value == to_.values.end()) return input;
    return constant(builder, value->second, "bound " + door.name);
  }

  Value constant(GraphBuilder& builder, Tensor numbers, const std::string& what) {
    const Value value = builder.constant(numbers, what);
    constants_[value] = std::move(numbers);
    return value;
  }

  Values bind_node(GraphBuilder& builder, const Node& node, const Values& inputs) {
    Types types;
    for (const Value& input : inputs) types.push_back(input ? input.type() : Type{});
    try {
      if (node.op.is_expanded()) return expanded(builder, node, inputs);
      Types outputs = node.op.infer(types);
      if (std::optional<std::vector<Tensor>> results = folded(node.op, inputs, outputs)) {
        Values constants;
        for (Tensor& result : *results) {
          constants.push_back(constant(builder, std::move(result), std::string(node.op.name())));
        }
        return constants;
      }
      const auto open = std::find_if(outputs.begin(), outputs.end(), [](const Type& type) { return !is_bound(type); });
      if (open != outputs.end() && !follows_fault(inputs)) {
        left_open_.push_back(
            {place_of(node), "the lengths of what it makes, " + open->text() +
                                 ", depend on numbers that are not known when the network is compiled."});
      }
      return builder.add_typed(node.op, inputs, std::move(outputs));
    } catch (const Unfit& unfit) {
      if (!follows_fault(inputs)) faults_.push_back({place_of(node), unfit.what()});
      return builder.add_typed(node.op, inputs, Types(node.outputs.size()));
    }
  }

  // The nodes that stand for it; what they make of constants alone is constant.
  Values expanded(GraphBuilder& builder, const Node& node, const Values& inputs) {
    Values outputs = node.op.expanded(builder, inputs);
    for (Value& output : outputs) {
      if (output && output.type().known) output = constant(builder, *output.type().known, std::string(node.op.name()));
    }
    return outputs;
  }

  // Whether an input's lengths are unknown already, so that this node's are no news.
  static bool follows_fault(const Values& inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [](const Value& v) { return v && !is_bound(v.type()); });
  }

  // The outputs of a node whose shape rule knows them already (a Shape of bound lengths), or whose inputs are all
  // constant and whose outputs are not too large; nothing otherwise.
  std::optional<std::vector<Tensor>> folded(const Op& op, const Values& inputs, const Types& outputs) {
    std::vector<Tensor> results;
    for (const Type& output : outputs) {
      if (output.known) results.push_back(*output.known);
    }
    if (results.size() == outputs.size()) return results;
    std::vector<std::optional<Tensor>> known;
    size_t given = 0, made = 0;
    for (const Value& input : inputs) {
      if (!input) {
        known.emplace_back();
        continue;
      }
      const auto at = constants_.find(input);
      if (at == constants_.end()) return std::nullopt;
      known.push_back(at->second);
      given += at->second.size_bytes();
    }
    for (const Type& output : outputs) {
      if (!is_bound(output)) return std::nullopt;
      const std::optional<int64_t> count = checked_product(output.shape.lengths());
      if (!count) return std::nullopt;
      made += static_cast<size_t>(*count) * size_of(output.dtype);
    }
    if (inputs.empty() || made > std::max(kFoldedBytes, given) || !reference::kernel_of(op)) return std::nullopt;
    return reference::compute_some(op, known);
  }

  const Graph& graph_;
  const Lengths& to_;
  BoundGraph made_;
  std::unordered_map<Value, Tensor> constants_;
  // Lengths that stay open may come of another fault's unknown value, so they are told where there is no other.
  std::vector<Fault> faults_, left_open_;
};

}  // namespace

BoundGraph bound(const Graph& graph, Slots& slots, const Lengths& to) { return Binder(graph, slots, to).run(); }

std::vector<std::string> deciding_inputs(const Graph& graph, Slots& slots, const Lengths& to) {
  std::vector<Fault> faults;
  bind_names(graph, to, faults);
  refuse_if_any(std::move(faults));
  Slots scratch;
  for (size_t i = 0; i < slots.size(); ++i) scratch.share(slots.shared(i));
  GraphBuilder builder(scratch);
  ValueMap values;
  // For each value, the whole-number inputs it is made from.
  std::unordered_map<Value, std::set<std::string>> made_from;
  // The same of all inputs, for what expanded nodes are decided by.
  std::unordered_map<Value, std::set<std::string>> made_from_any;
  for (const Door& door : graph.inputs()) {
    const std::vector<int64_t>& lengths = to.lengths.find(door.name)->second;
    const Value input = values[door.value] = builder.input(door.name, {door.value.dtype(), Shape::of(lengths)});
    if (!is_floating(door.value.dtype())) made_from[input].insert(door.name);
    made_from_any[input].insert(door.name);
  }
  std::set<std::string> deciding;
  builder.fold_with(reference::folder());
  const NodeRule rule = [&](GraphBuilder& into, const Node& node, const Values& inputs) -> std::optional<Values> {
    Values outputs;
    try {
      outputs = into.add(node.op, inputs);
    } catch (const Unfit&) {
      outputs = into.add_typed(node.op, inputs, Types(node.outputs.size()));
    }
    for (const size_t i : node.op.decided_by()) {
      if (i >= inputs.size() || !inputs[i]) continue;
      deciding.insert(made_from_any[inputs[i]].begin(), made_from_any[inputs[i]].end());
    }
    std::set<std::string> from, from_any;
    bool open_before = false;
    for (const Value& input : inputs) {
      if (!input) continue;
      if (node.op.is<ops::ShapeOf>()) break;  // lengths are given
      from.insert(made_from[input].begin(), made_from[input].end());
      from_any.insert(made_from_any[input].begin(), made_from_any[input].end());
      open_before = open_before || !is_bound(input.type());
    }
    for (const Value& output : outputs) {
      made_from[output] = from;
      made_from_any[output] = from_any;
      if (is_bound(output.type()) || open_before) continue;
      const std::set<std::string>& decide = from.empty() ? from_any : from;
      deciding.insert(decide.begin(), decide.end());
    }
    return outputs;
  };
  copy_nodes(builder, graph, rule, std::move(values));
  return {deciding.begin(), deciding.end()};
}

std::string place_of(const Node& node) {
  if (node.scope->path.empty()) return "node " + std::to_string(node.index) + " (" + std::string(node.op.name()) + ")";
  const std::string kind = node.scope->kind.empty() ? "" : " (" + node.scope->kind + ")";
  return "layer " + quoted(node.scope->path) + kind + ", " + std::string(node.op.name());
}

}  // namespace causeway::passes
