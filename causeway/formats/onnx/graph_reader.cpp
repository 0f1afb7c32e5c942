#include "causeway/formats/onnx/graph_reader.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "causeway/base/json.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/load.h"
#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/formats/onnx/layer_scopes.h"
#include "causeway/formats/onnx/node_walk.h"
#include "causeway/nn/lifting.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/named_lengths.h"
#include "causeway/ops/build.h"
#include "causeway/ops/softmax.h"
#include "causeway/passes/turn_doors.h"
#include "causeway/reference/reference.h"

namespace causeway::formats::onnx {
namespace {

class GraphReader {
 public:
  GraphReader(FileModel model, const ReadOptions& options, std::vector<Fault> faults, std::vector<std::string> notes)
      : options_(options), faults_(std::move(faults)), notes_(std::move(notes)), builder_(slots_) {
    producer_ = model.producer_name + (model.producer_version.empty() ? "" : " " + model.producer_version);
    reading_.from_pytorch = model.producer_name == "pytorch";
    metadata_ = std::move(model.metadata);
    if (!model.functions.empty()) {
      reading_.functions = std::make_shared<const std::vector<FileFunction>>(model.functions);
    }
    GraphPlan plan = plan_graph(std::move(model), faults_, notes_);
    name_layers(plan, {}, stated_kinds());
    graph_ = PlannedGraph(std::move(plan));
    read_roles();
    walk_.emplace(reading_, graph_);
    builder_.fold_with(reference::folder());
    reading_.keeps_double = !learns();
  }

  SavedNetwork read() {
    read_doors();
    for (const FileDoor& input : graph_.plan.inputs) read_input(input);
    for (Fault& fault : nn::unknown_lengths(options_.dims, open_lengths_)) faults_.push_back(std::move(fault));
    walk_->read_nodes();
    tell_axes();
    for (const FileDoor& output : graph_.plan.outputs) read_output(output);
    note_unread();
    if (reading_.computes_in_less)
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
    return std::any_of(graph_.plan.initializers.begin(), graph_.plan.initializers.end(), [&](const FileTensor& tensor) {
      const auto use = graph_.uses.find(tensor.name);
      return use != graph_.uses.end() && use->second.role != Role::Constant && tensor.numbers &&
             is_floating(tensor.numbers->dtype());
    });
  }

  void read_input(const FileDoor& input) {
    Shape shape = input.shape;
    if (shape.has_rank()) {
      for (Dim& dim : *shape.dims) {
        if (dim.is_symbolic()) {
          open_lengths_.insert(dim.names().front());
          if (const auto at = options_.dims.find(dim.names().front()); at != options_.dims.end()) dim = at->second;
        }
      }
    }
    Value value = builder_.input(input.name, {input.dtype, std::move(shape)}, axes_[input.name]);
    if (reading_.computed(input.dtype) != input.dtype) {
      value = ops::cast(value, reading_.computed(input.dtype));
      reading_.computes_in_less = true;
    }
    walk_->give(input.name, value);
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
    Value value = walk_->value(output.name);
    if (value.dtype() != DType::Unknown && output.dtype != DType::Unknown && value.dtype() != output.dtype) {
      if (!is_floating(output.dtype) || !is_floating(value.dtype())) {
        faults_.push_back({where, "it is declared as " + std::string(name_of(output.dtype)) + ", and the graph makes " +
                                      std::string(name_of(value.dtype())) + "."});
      } else {
        value = ops::cast(value, output.dtype);
      }
    } else if (value.dtype() == DType::Unknown && reading_.computed(output.dtype) != output.dtype) {
      value = ops::cast(value, output.dtype);
    }
    for (const Door& made : made_outputs_) {
      if (made.name == output.name) {
        faults_.push_back({where, "it stands in the graph twice."});
        return;
      }
    }
    note_other_shape(output, value.shape());
    made_outputs_.push_back({output.name, value, ""});
    std::string& axes = axes_[output.name];
    if (axes.empty()) axes = passes::axes_of_output(value);
    builder_.output(output.name, value, axes);
  }

  // Exporters state an output's lengths for one batch and leave them so; what the graph makes is what holds.
  void note_other_shape(const FileDoor& output, const Shape& made) {
    if (!output.shape.has_rank() || !made.has_rank()) return;
    bool same = output.shape.rank() == made.rank();
    for (size_t axis = 0; same && axis < made.rank(); ++axis) {
      const Dim &declared = output.shape[axis], &own = made[axis];
      same = !declared.is_number() || !own.is_number() || declared.number() == own.number();
    }
    if (!same) {
      notes_.push_back("output " + quoted(output.name) + ": it is declared as " + output.shape.text() +
                       ", and the graph makes " + made.text() + ".");
    }
  }

  bool is_output(const std::string& name) const {
    return std::any_of(graph_.plan.outputs.begin(), graph_.plan.outputs.end(),
                       [&](const FileDoor& output) { return output.name == name; });
  }

  void note_unread() {
    std::vector<std::string> unread;
    for (const FileTensor& tensor : graph_.plan.initializers) {
      if (!graph_.uses.count(tensor.name) && !is_output(tensor.name)) unread.push_back(tensor.name);
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
    if (json.is_text() && graph_.plan.inputs.size() == 1) {
      axes_[graph_.plan.inputs[0].name] = json.text();
    } else if (json.is_object() && std::all_of(json.members().begin(), json.members().end(), is_text)) {
      for (const auto& [door, axes] : json.members()) axes_[door] = axes.text();
    } else {
      faults_.push_back({where, "it names no axes a door."});
    }
  }

  // The kinds of layers that a file written here says as a whole.
  LayerKinds stated_kinds() {
    const std::string* stated = find(metadata_, kLayersKey);
    if (!stated) return {};
    const std::string where = "metadata '" + std::string(kLayersKey) + "'";
    const Json json = parse_json(*stated, where);
    LayerKinds kinds;
    if (json.is_object()) {
      for (const auto& [path, kind] : json.members()) {
        if (kind.is_text()) kinds.emplace(path, kind.text());
      }
    }
    if (!json.is_object() || kinds.size() != json.members().size()) {
      faults_.push_back({where, "it names no kind a layer."});
    }
    return kinds;
  }

  // What each initializer is, as files written here say it: who reads it tells a learned number and a constant apart only
  // as exporters write graphs. Names that the file has no more are another program's affair.
  void read_roles() {
    const std::string* stated = find(metadata_, "causeway.roles");
    if (!stated) return;
    const std::string where = "metadata 'causeway.roles'";
    const Json json = parse_json(*stated, where);
    if (!json.is_object()) {
      faults_.push_back({where, "it names no role an initializer."});
      return;
    }
    for (const auto& [name, word] : json.members()) {
      const std::optional<Role> role = word.is_text() ? role_named(word.text()) : std::nullopt;
      if (!role) {
        faults_.push_back({where, "the role of " + quoted(name) + " is none of learned, measured and constant."});
        continue;
      }
      if (!graph_.plan.initializer(name) || (!graph_.uses.count(name) && !is_output(name))) continue;
      SlotUseInFile& use = graph_.uses[name];
      use.role = *role;
      use.by_arithmetic = false;
      use.is_stated = true;
    }
  }

  static std::optional<Role> role_named(std::string_view word) {
    for (const Role role : {Role::Learned, Role::Measured, Role::Constant}) {
      if (word == causeway::name_of(role)) return role;
    }
    return std::nullopt;
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
    if (const std::string* stated = find(metadata_, "causeway.loss"); stated && !options_.loss) {
      const std::string where = "metadata 'causeway.loss'";
      const Json json = parse_json(*stated, where);
      if (!json.is_object()) {
        faults_.push_back({where, "it names no loss an output."});
        return;
      }
      for (const auto& [output, words] : json.members()) {
        if (options_.losses.contains(output)) continue;
        const std::optional<StatedLoss> loss = nn::read_loss(words, where, faults_);
        if (loss) give_loss(saved, output, loss->loss);
      }
    }
    give_losses(saved);
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

  void give_loss(SavedNetwork& saved, const std::string& output, const StatedLoss& stated) {
    const Loss& loss = stated.loss;
    const Door* door = saved.network.graph().output(output);
    const auto* softmax = door && door->value.node() ? door->value.node()->op.as<ops::Softmax>() : nullptr;
    const std::optional<Op> activation = loss.activation();
    if (softmax && activation && activation->is<ops::Softmax>() && door->value.shape().has_rank() &&
        axis_in(softmax->axis, door->value.shape().rank()) + 1 != door->value.shape().rank()) {
      faults_.push_back({"output " + quoted(output), "its last Softmax is taken along axis " +
                                                         std::to_string(softmax->axis) + " of " +
                                                         door->value.shape().text() + ", and " +
                                                         std::string(loss.name()) + " has its classes last."});
      return;
    }
    const size_t notes_before = saved.notes.size();
    if (std::optional<Fault> fault = nn::give_loss(saved, output, loss, stated.from_logits)) {
      faults_.push_back(*std::move(fault));
    } else if (saved.notes.size() == notes_before && activation) {
      saved.notes.push_back("output " + quoted(output) + ": the graph does not end in a " +
                            std::string(activation->name()) + ", so that what it gives is taken as logits.");
    }
  }

  const ReadOptions& options_;
  std::vector<Fault> faults_;
  std::vector<std::string> notes_;
  std::string producer_;
  Properties metadata_;
  PlannedGraph graph_;
  std::unordered_map<std::string, std::string> axes_;

  std::set<std::string> open_lengths_;
  Slots slots_;
  GraphBuilder builder_;
  std::vector<Door> made_outputs_;
  std::vector<Entry> entries_;
  FileReading reading_{slots_, builder_, faults_, notes_, entries_};
  std::optional<NodeWalk> walk_;
};

}  // namespace

SavedNetwork read_graph(FileModel model, const ReadOptions& options, std::vector<Fault> faults,
                        std::vector<std::string> notes) {
  return GraphReader(std::move(model), options, std::move(faults), std::move(notes)).read();
}

}  // namespace causeway::formats::onnx
