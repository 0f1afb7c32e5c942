#include "causeway/formats/onnx/graph_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "causeway/base/json.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/load.h"
#include "causeway/formats/onnx/bound_node.h"
#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/formats/onnx/layer_scopes.h"
#include "causeway/formats/onnx/node_table.h"
#include "causeway/formats/onnx/slot_roles.h"
#include "causeway/nn/lifting.h"
#include "causeway/nn/losses.h"
#include "causeway/ops/build.h"
#include "causeway/ops/elementary.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/turn_doors.h"
#include "causeway/reference/reference.h"

namespace causeway::formats::onnx {
namespace {

/// What decides a node's settings is a short piece of shape arithmetic; more is not looked through.
constexpr size_t kMostVisited = 1000;

bool has_infinity(const Tensor& numbers) {
  for (int64_t i = 0; i < numbers.size(); ++i) {
    if (std::isinf(numbers.number_at(i))) return true;
  }
  return false;
}

class GraphReader {
 public:
  GraphReader(FileModel model, const ReadOptions& options, std::vector<Fault> faults, std::vector<std::string> notes)
      : options_(options), faults_(std::move(faults)), notes_(std::move(notes)), builder_(slots_) {
    producer_ = model.producer_name + (model.producer_version.empty() ? "" : " " + model.producer_version);
    from_pytorch_ = model.producer_name == "pytorch";
    metadata_ = std::move(model.metadata);
    plan_ = plan_graph(std::move(model), faults_, notes_);
    name_layers(plan_);
    uses_ = slot_uses(plan_);
    for (const PlannedNode& planned : plan_.nodes) {
      for (const std::string& input : planned.node.inputs) ++readers_[input];
    }
    builder_.fold_with(reference::folder());
    keeps_double_ = !learns();
  }

  SavedNetwork read() {
    read_doors();
    for (const FileDoor& input : plan_.inputs) read_input(input);
    for (const PlannedNode& planned : plan_.nodes) read_node(planned);
    tell_axes();
    for (const FileDoor& output : plan_.outputs) read_output(output);
    note_unread();
    if (computes_in_less_)
      notes_.push_back("the file states float64 or half numbers, and the network computes in float32.");

    SavedNetwork saved;
    saved.format = "onnx";
    saved.producer = escaped(producer_);
    Graph graph = std::move(builder_).finish();
    saved.network = Network(std::move(graph), std::move(slots_));
    saved.notes = std::move(notes_);
    if (faults_.empty()) read_metadata(saved);
    load(saved.network, entries_, std::move(faults_));
    return saved;
  }

 private:
  bool learns() const {
    return std::any_of(plan_.initializers.begin(), plan_.initializers.end(), [&](const FileTensor& tensor) {
      const auto use = uses_.find(tensor.name);
      return use != uses_.end() && use->second.role != Role::Constant && tensor.numbers &&
             is_floating(tensor.numbers->dtype());
    });
  }

  // What a value of that dtype is computed in: half widths in float32, and float64 too where anything is learned.
  DType computed(DType dtype) const {
    if (dtype == DType::Float64) return keeps_double_ ? dtype : DType::Float32;
    return is_floating(dtype) ? DType::Float32 : dtype;
  }

  void read_input(const FileDoor& input) {
    Shape shape = input.shape;
    if (shape.has_rank()) {
      for (Dim& dim : *shape.dims) {
        if (dim.is_symbolic()) {
          if (const auto at = options_.dims.find(dim.names().front()); at != options_.dims.end()) dim = at->second;
        }
      }
    }
    Value value = builder_.input(input.name, {input.dtype, std::move(shape)}, axes_[input.name]);
    if (computed(input.dtype) != input.dtype) {
      value = ops::cast(value, computed(input.dtype));
      computes_in_less_ = true;
    }
    values_[input.name] = value;
  }

  void read_node(const PlannedNode& planned) {
    const ScopeGuard scope = builder_.scope_of(planned.scope);
    Values inputs;
    for (size_t i = 0; i < planned.node.inputs.size(); ++i) inputs.push_back(value_of(planned, i));
    ReadingContext context{builder_, faults_, notes_, from_pytorch_, computed(DType::Float64)};
    NodeReader node(planned, std::move(inputs), context);
    const size_t faults_before = faults_.size();
    Values outputs;
    try {
      outputs = read_by_table(planned, node);
    } catch (const NotKnownYet& unknown) {
      outputs = read_when_bound(planned, node, unknown);
    } catch (const Unfit& unfit) {
      // A fault without words follows another, which has them.
      if (std::string_view(unfit.what()) != "") node.refuse(unfit.what());
    }
    const bool is_refused = faults_.size() > faults_before;
    if (is_refused) outputs.clear();
    for (size_t i = 0; i < planned.node.outputs.size(); ++i) {
      const std::string& name = planned.node.outputs[i];
      if (name.empty()) continue;
      if (i < outputs.size() && outputs[i]) {
        values_[name] = outputs[i];
      } else {
        if (!is_refused && !outputs.empty())
          node.refuse("its output " + std::to_string(i) + ", " + quoted(name) + ", is not made here.");
        values_[name] = unknown();
      }
    }
  }

  Values read_by_table(const PlannedNode& planned, NodeReader& node) {
    if (!planned.node.domain.empty() || planned.opset == 0) {
      if (planned.opset == 0) {
        unfit("the file imports no operators of its domain, " + quoted(planned.node.domain) + ".");
      }
      unfit("no op of the domain " + quoted(planned.node.domain) + " is read.");
    }
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

  // Where inputs of the network alone say a node's settings, it is read when they are known.
  Values read_when_bound(const PlannedNode& planned, NodeReader& node, const NotKnownYet& unknown) {
    BoundNode bound{.planned = std::make_shared<const PlannedNode>(planned),
                    .from_pytorch = from_pytorch_,
                    .doubles = computed(DType::Float64)};
    for (size_t i = 1; i < node.input_count(); ++i) {
      const Value input = node.input_or_none(i);
      if (!input || input.kind() == Value::Kind::Slot || input.type().known) continue;
      if (!is_made_of_inputs(input)) {
        node.refuse(unknown.what);
        return {};
      }
      bound.decides.push_back(i);
    }
    return builder_.add(bound, node.inputs());
  }

  // Whether a value follows from inputs of the network and constants, no learned slot among them.
  bool is_made_of_inputs(const Value& value) const {
    std::vector<Value> to_visit{value};
    for (size_t visited = 0; !to_visit.empty(); ++visited) {
      const Value at = to_visit.back();
      to_visit.pop_back();
      if (visited > kMostVisited) return false;
      if (at.kind() == Value::Kind::Slot && slots_.at(at.name()).role != Role::Constant) return false;
      if (!at.node()) continue;
      for (const Value& input : at.node()->inputs) {
        if (input) to_visit.push_back(input);
      }
    }
    return true;
  }

  // A value behind a refused node: it fits everything.
  Value unknown() { return builder_.add_typed(ops::Identity{}, {}, {Type{}})[0]; }

  Value value_of(const PlannedNode& planned, size_t i) {
    const std::string& name = planned.node.inputs[i];
    if (name.empty()) return {};
    if (const auto at = values_.find(name); at != values_.end()) return at->second;
    const FileTensor* tensor = plan_.initializer(name);
    if (!tensor) return values_[name] = unknown();
    if (!tensor->numbers) return values_[name] = unknown();
    const auto known = uses_.find(name);  // an output may be an initializer that no node reads
    const SlotUseInFile use = known == uses_.end() ? SlotUseInFile{} : known->second;
    const bool measures = planned.node.op == "BatchNormalization" && planned.node.domain.empty() && (i == 3 || i == 4);
    // A running statistic is assigned by its own layer alone, whatever else reads the same initializer.
    if (measures && readers_[name] > 1) {
      return declared(*tensor, {Role::Measured, i == 3 ? "running_mean" : "running_var", planned.scope.path}, true);
    }
    SlotUseInFile own = use;
    if (own.role == Role::Measured && readers_[name] > 1) own.role = Role::Learned;
    return values_[name] = declared(*tensor, own, false);
  }

  Value declared(const FileTensor& tensor, const SlotUseInFile& use, bool is_copy) {
    const DType dtype = tensor.numbers->dtype();
    const bool is_constant =
        use.role == Role::Constant || !is_floating(dtype) || (use.by_arithmetic && has_infinity(*tensor.numbers));
    if (computed(dtype) != dtype) computes_in_less_ = true;
    std::string path = tensor.name;
    if (!is_constant && (is_copy || is_made_up(tensor.name))) {
      path = use.layer.empty() ? use.what : use.layer + "." + use.what;
    }
    Slot slot{.path = slots_.free_path(std::move(path))};
    if (is_constant) {
      slot.role = Role::Constant;
      slot.numbers = computed(dtype) == dtype ? *tensor.numbers : tensor.numbers->converted(computed(dtype));
      return builder_.declare(std::move(slot));
    }
    slot.role = use.role;
    // The numbers come in through load(); until then any of the same lengths stand there.
    slot.numbers =
        dtype == DType::Float32 ? *tensor.numbers : Tensor::uninitialized(DType::Float32, tensor.numbers->lengths());
    entries_.push_back({slot.path, *tensor.numbers, {}, "initializer " + quoted(tensor.name)});
    return builder_.declare(std::move(slot));
  }

  // Axes that the file does not say are told by the windows that read a door.
  void tell_axes() {
    const std::vector<Door> doors(builder_.inputs().begin(), builder_.inputs().end());
    for (const Door& door : doors) {
      if (door.axes.empty()) builder_.name_axes(door.name, passes::axes_of_input(builder_.nodes(), door.value));
    }
  }

  void read_output(const FileDoor& output) {
    const std::string where = "output " + quoted(output.name);
    if (!output.refused.empty()) {
      faults_.push_back({where, output.refused});
      return;
    }
    if (output.name.empty()) {
      faults_.push_back({where, "it has no name, and names no value of the graph."});
      return;
    }
    PlannedNode door;
    door.node.inputs = {output.name};
    Value value = value_of(door, 0);
    if (value.dtype() != DType::Unknown && output.dtype != DType::Unknown && value.dtype() != output.dtype) {
      if (!is_floating(output.dtype) || !is_floating(value.dtype())) {
        faults_.push_back({where, "it is declared as " + std::string(name_of(output.dtype)) + ", and the graph makes " +
                                      std::string(name_of(value.dtype())) + "."});
      } else {
        value = ops::cast(value, output.dtype);
      }
    } else if (value.dtype() == DType::Unknown && computed(output.dtype) != output.dtype) {
      value = ops::cast(value, output.dtype);
    }
    for (const Door& made : made_outputs_) {
      if (made.name == output.name) {
        faults_.push_back({where, "it stands in the graph twice."});
        return;
      }
    }
    made_outputs_.push_back({output.name, value, ""});
    std::string& axes = axes_[output.name];
    if (axes.empty()) axes = passes::axes_of_output(value);
    builder_.output(output.name, value, axes);
  }

  void note_unread() {
    std::vector<std::string> unread;
    for (const FileTensor& tensor : plan_.initializers) {
      if (!uses_.count(tensor.name) && !values_.count(tensor.name)) unread.push_back(tensor.name);
    }
    if (unread.empty()) return;
    notes_.push_back(std::to_string(unread.size()) + " initializers are read by no node (" + quoted(unread.front()) +
                     " first).");
  }

  // What the axes of the doors are, as files written here say it: a text for the only input, or a text a door.
  void read_doors() {
    const std::string* stated = find(metadata_, "causeway.doors");
    if (!stated) return;
    const std::string where = "metadata 'causeway.doors'";
    const Json json = parse_json(*stated, where);
    const auto is_text = [](const Json::Member& member) { return member.second.is_text(); };
    if (json.is_text() && plan_.inputs.size() == 1) {
      axes_[plan_.inputs[0].name] = json.text();
    } else if (json.is_object() && std::all_of(json.members().begin(), json.members().end(), is_text)) {
      for (const auto& [door, axes] : json.members()) axes_[door] = axes.text();
    } else {
      faults_.push_back({where, "it names no axes a door."});
    }
  }

  // What files written here say beside the graph; and the losses the caller hands over, which win.
  void read_metadata(SavedNetwork& saved) {
    if (const std::string* features = find(metadata_, "causeway.features")) {
      const Json json = parse_json(*features, "metadata 'causeway.features'");
      const bool is_list = json.is_array() && std::all_of(json.items().begin(), json.items().end(),
                                                          [](const Json& item) { return item.is_text(); });
      if (is_list) {
        for (const Json& item : json.items()) saved.features.push_back(item.text());
      } else {
        faults_.push_back({"metadata 'causeway.features'", "it is no list of names."});
      }
    }
    const std::string* stated = find(metadata_, "causeway.loss");
    if (options_.loss || !options_.losses.empty()) {
      give_losses(saved);
    } else if (stated) {
      const std::string where = "metadata 'causeway.loss'";
      const Json json = parse_json(*stated, where);
      if (!json.is_object()) {
        faults_.push_back({where, "it names no loss an output."});
        return;
      }
      for (const auto& [output, words] : json.members()) {
        const std::optional<nn::StatedLoss> loss = nn::read_loss(words, where, faults_);
        if (loss) give_loss(saved, output, loss->loss);
      }
    }
  }

  void give_losses(SavedNetwork& saved) {
    for (const auto& [output, loss] : options_.losses) give_loss(saved, output, loss);
    if (!options_.loss) return;
    std::vector<std::string> floating;
    for (const Door& door : saved.network.outputs()) {
      if (is_floating(door.value.dtype())) floating.push_back(door.name);
    }
    if (floating.size() != 1) {
      faults_.push_back({"loss", "the network has " + std::to_string(floating.size()) +
                                     " floating outputs, and a loss without an output's name goes with exactly one."});
      return;
    }
    give_loss(saved, floating.front(), *options_.loss);
  }

  void give_loss(SavedNetwork& saved, const std::string& output, const Loss& loss) {
    const size_t notes_before = saved.notes.size();
    if (std::optional<Fault> fault = nn::give_loss(saved, output, loss, std::nullopt)) {
      faults_.push_back(*std::move(fault));
    } else if (saved.notes.size() == notes_before && !loss.activation().empty()) {
      saved.notes.push_back("output " + quoted(output) + ": the graph does not end in a " +
                            std::string(loss.activation()) + ", so that what it gives is taken as logits.");
    }
  }

  const ReadOptions& options_;
  std::vector<Fault> faults_;
  std::vector<std::string> notes_;
  std::string producer_;
  bool from_pytorch_ = false, computes_in_less_ = false, keeps_double_ = false;
  Properties metadata_;
  GraphPlan plan_;
  std::unordered_map<std::string, SlotUseInFile> uses_;
  std::unordered_map<std::string, size_t> readers_;
  std::unordered_map<std::string, std::string> axes_;

  Slots slots_;
  GraphBuilder builder_;
  std::unordered_map<std::string, Value> values_;
  std::vector<Door> made_outputs_;
  std::vector<Entry> entries_;
};

}  // namespace

SavedNetwork read_graph(FileModel model, const ReadOptions& options, std::vector<Fault> faults,
                        std::vector<std::string> notes) {
  return GraphReader(std::move(model), options, std::move(faults), std::move(notes)).read();
}

}  // namespace causeway::formats::onnx
