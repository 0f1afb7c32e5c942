#include "causeway/formats/onnx/graph_plan.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/inline_functions.h"

namespace causeway::formats::onnx {
namespace {

/// The tensor a Constant node states, in any of its forms; none with the reason.
std::optional<Tensor> stated_tensor(const FileNode& node, std::string& refused) {
  using Kind = Attribute::Kind;
  if (node.attributes.size() != 1) {
    refused = "it states " + std::to_string(node.attributes.size()) + " values, and one is read.";
    return std::nullopt;
  }
  const Attribute& value = node.attributes.front();
  if (value.name == "value" && value.kind == Kind::Tensor) {
    refused = value.tensor->refused;
    return value.tensor->numbers;
  }
  if (value.name == "value_float" && value.kind == Kind::Real) return Tensor::scalar(value.real);
  if (value.name == "value_int" && value.kind == Kind::Integer) return Tensor::scalar(value.integer);
  if (value.name == "value_floats" && value.kind == Kind::Reals) {
    return Tensor::of<float>({static_cast<int64_t>(value.reals.size())}, value.reals);
  }
  if (value.name == "value_ints" && (value.kind == Kind::Integers)) return Tensor::of_integers(value.integers);
  refused = "its value is " + quoted(value.name) +
            "; 'value', 'value_float', 'value_floats', 'value_int' and 'value_ints' are read.";
  return std::nullopt;
}

class Planner {
 public:
  Planner(FileModel model, std::vector<Fault>& faults, std::vector<std::string>& notes, const AroundBody& around)
      : model_(std::move(model)), faults_(faults), notes_(notes), around_(around) {}

  GraphPlan run() {
    std::vector<PlannedNode> nodes = inlined_nodes(model_, static_cast<bool>(around_.knows));
    for (PlannedNode& planned : nodes) planned.where = around_.place + planned.where;
    take_initializers();
    take_inputs();
    take_makers(nodes);
    sort(std::move(nodes));
    plan_.outputs = std::move(model_.graph.outputs);
    for (const FileDoor& output : plan_.outputs) {
      if (!makers_.count(output.name) && !is_around(output.name)) {
        faults_.push_back({around_.place + "output " + quoted(output.name), "no node, input or initializer makes it."});
      }
    }
    if (plan_.outputs.empty() && !around_.knows) faults_.push_back({"the file", "its graph has no output."});
    return std::move(plan_);
  }

 private:
  bool is_around(const std::string& name) const { return around_.knows && around_.knows(name); }

  void take_initializers() {
    for (FileTensor& tensor : model_.graph.initializers) {
      const std::string where = around_.place + "initializer " + quoted(tensor.name);
      if (tensor.name.empty()) {
        faults_.push_back({where, "it has no name."});
      } else if (tensor.name[0] == '@') {
        faults_.push_back({where, "names that begin with '@' are the native file's own."});
      }
      if (!makers_.emplace(tensor.name, where).second) {
        faults_.push_back({where, "it stands in the graph twice."});
        continue;
      }
      keep(std::move(tensor));
    }
  }

  void keep(FileTensor tensor) {
    plan_.initializer_places.emplace(tensor.name, plan_.initializers.size());
    plan_.initializers.push_back(std::move(tensor));
  }

  void take_inputs() {
    for (FileDoor& input : model_.graph.inputs) {
      const std::string where = around_.place + "input " + quoted(input.name);
      if (const FileTensor* initializer = plan_.initializer(input.name)) {
        expect_as_declared(input, *initializer, where);
        if (model_.ir_version >= 4) {
          notes_.push_back(where + ": it has a default, the initializer of its name, and is read as a weight.");
        }
        continue;
      }
      if (input.name.empty()) {
        faults_.push_back({where, "it has no name."});
      } else if (!makers_.emplace(input.name, where).second) {
        faults_.push_back({where, "it stands in the graph twice."});
      } else {
        if (!input.refused.empty()) faults_.push_back({where, input.refused});
        if (input.refused.empty() && input.dtype == DType::Unknown && !around_.knows)
          faults_.push_back({where, "its dtype is not stated, and an input's is."});
        plan_.inputs.push_back(std::move(input));
      }
    }
  }

  // An input with an initializer has its numbers as a default, and they are of the shape that it declares.
  void expect_as_declared(const FileDoor& input, const FileTensor& initializer, const std::string& where) {
    if (!initializer.numbers || !input.shape.has_rank()) return;
    const Shape own = initializer.numbers->shape();
    bool fits = own.rank() == input.shape.rank();
    for (size_t axis = 0; fits && axis < own.rank(); ++axis) {
      fits = !input.shape[axis].is_number() || input.shape[axis].number() == own[axis].number();
    }
    if (!fits) {
      faults_.push_back({where, "it is declared as " + input.shape.text() + ", and the initializer of its name is " +
                                    own.text() + "."});
    }
  }

  // Who makes each value. A node that makes a value which has a maker already is left out.
  void take_makers(std::vector<PlannedNode>& nodes) {
    std::vector<PlannedNode> kept;
    for (PlannedNode& planned : nodes) {
      if (doubles_a_value(planned)) continue;
      for (const std::string& output : planned.node.outputs) {
        if (!output.empty()) makers_.emplace(output, planned.where);
      }
      if (planned.node.op == "Constant" && planned.node.domain.empty() && planned.opset > 0) {
        take_constant(planned);
      } else {
        kept.push_back(std::move(planned));
      }
    }
    nodes = std::move(kept);
  }

  bool doubles_a_value(const PlannedNode& planned) {
    std::set<std::string> own;
    for (const std::string& output : planned.node.outputs) {
      if (output.empty()) continue;
      const auto maker = makers_.find(output);
      if (maker != makers_.end()) {
        faults_.push_back({planned.where, doubled(output, maker->second, planned)});
        return true;
      }
      if (is_around(output)) {
        faults_.push_back({planned.where, "it makes " + quoted(output) + ", which the graph around it has already."});
        return true;
      }
      if (!own.insert(output).second) {
        faults_.push_back({planned.where, "it makes " + quoted(output) + " twice."});
        return true;
      }
    }
    return false;
  }

  // Two nodes are told by their names where they have some.
  static std::string doubled(const std::string& value, const std::string& maker, const PlannedNode& second) {
    const size_t name = maker.find("node '"), end = maker.rfind(" (");
    if (name == std::string::npos || second.node.name.empty()) {
      return quoted(value) + " is made twice: by " + maker + " and by " + second.where + ".";
    }
    return quoted(value) + " is made by two nodes: " + maker.substr(name + 5, end - name - 5) + " and " +
           quoted(second.node.name) + ".";
  }

  void take_constant(const PlannedNode& planned) {
    if (planned.node.outputs.size() != 1) {
      faults_.push_back({planned.where, "it makes " + std::to_string(planned.node.outputs.size()) +
                                            " values, and a constant makes one."});
    }
    FileTensor tensor;
    tensor.numbers = stated_tensor(planned.node, tensor.refused);
    if (!tensor.refused.empty()) faults_.push_back({planned.where, tensor.refused});
    for (const std::string& output : planned.node.outputs) {
      tensor.name = output;
      if (!output.empty()) keep(tensor);
    }
  }

  void sort(std::vector<PlannedNode> nodes) {
    std::unordered_map<std::string, size_t> made_by;
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (const std::string& output : nodes[i].node.outputs) {
        if (!output.empty()) made_by[output] = i;
      }
    }
    std::vector<size_t> waits_for(nodes.size(), 0);
    std::vector<std::vector<size_t>> readers(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (const std::string& input : nodes[i].node.inputs) {
        if (input.empty()) continue;
        if (const auto at = made_by.find(input); at != made_by.end()) {
          readers[at->second].push_back(i);
          ++waits_for[i];
        } else if (!makers_.count(input) && !is_around(input)) {
          faults_.push_back({nodes[i].where, quoted(input) + " is made by no node, input or initializer."});
        }
      }
    }
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (waits_for[i] == 0) ready.push(i);
    }
    size_t placed = 0;
    for (; !ready.empty(); ++placed) {
      const size_t i = ready.top();
      ready.pop();
      for (const size_t reader : readers[i]) {
        if (--waits_for[reader] == 0) ready.push(reader);
      }
      plan_.nodes.push_back(std::move(nodes[i]));
    }
    if (placed < nodes.size()) report_ring(nodes, made_by, waits_for);
  }

  // Of the nodes that wait for each other: from one that waits, back through what it waits for, until one comes again.
  void report_ring(const std::vector<PlannedNode>& nodes, const std::unordered_map<std::string, size_t>& made_by,
                   const std::vector<size_t>& waits_for) {
    size_t at = 0;
    while (waits_for[at] == 0) ++at;
    std::vector<size_t> walked;
    std::vector<std::string> values;
    while (std::find(walked.begin(), walked.end(), at) == walked.end()) {
      walked.push_back(at);
      for (const std::string& input : nodes[at].node.inputs) {
        const auto maker = made_by.find(input);
        if (maker == made_by.end() || waits_for[maker->second] == 0) continue;
        values.push_back(input);
        at = maker->second;
        break;
      }
    }
    const auto first = std::find(walked.begin(), walked.end(), at) - walked.begin();
    std::string ring;
    for (auto value = values.rbegin(); value != values.rend() - first; ++value) ring += quoted(*value) + ", ";
    faults_.push_back({nodes[at].where, "it is in a ring: " + ring + quoted(values.back()) + "."});
  }

  FileModel model_;
  std::vector<Fault>& faults_;
  std::vector<std::string>& notes_;
  const AroundBody& around_;
  GraphPlan plan_;
  std::unordered_map<std::string, std::string> makers_;
};

}  // namespace

const FileTensor* GraphPlan::initializer(std::string_view name) const {
  const auto at = initializer_places.find(std::string(name));
  return at == initializer_places.end() ? nullptr : &initializers[at->second];
}

GraphPlan plan_graph(FileModel model, std::vector<Fault>& faults, std::vector<std::string>& notes,
                     const AroundBody& around) {
  return Planner(std::move(model), faults, notes, around).run();
}

}  // namespace causeway::formats::onnx
