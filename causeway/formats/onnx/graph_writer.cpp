#include "causeway/formats/onnx/graph_writer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "causeway/base/json.h"
#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"
#include "causeway/formats/onnx/channels_first.h"
#include "causeway/formats/onnx/layer_scopes.h"
#include "causeway/formats/onnx/node_table.h"
#include "causeway/formats/onnx/node_writer.h"
#include "causeway/formats/onnx/recurrent_layers.h"
#include "causeway/formats/onnx/serialize.h"
#include "causeway/graph/rewrite.h"
#include "causeway/nn/loss_list.h"
#include "causeway/ops/elementary.h"
#include "causeway/reference/reference.h"

namespace causeway::formats::onnx {
namespace {

constexpr int64_t kOldestOpset = 7, kNewestOpset = 25;
constexpr std::string_view kVersion = CAUSEWAY_VERSION;

// The network's graph with each loss's activation behind its output.
Graph answering(const SavedNetwork& saved, Slots& slots) {
  const Graph& graph = saved.network.graph();
  GraphBuilder builder(slots);
  builder.fold_with(reference::folder());
  const ValueMap made = copy_nodes(builder, graph);
  for (const Door& door : graph.outputs()) {
    const auto loss = saved.losses.find(door.name);
    Value value = made.at(door.value);
    if (loss != saved.losses.end()) value = loss->second.answer(value);
    builder.output(door.name, value, door.axes);
  }
  return std::move(builder).finish();
}

class GraphWriter {
 public:
  GraphWriter(const Graph& graph, const Slots& slots, const WriteOnnxOptions& options, int64_t opset)
      : graph_(graph), context_{slots, file_, faults_} {
    context_.is_fixed = options.opset.has_value();
    context_.opset = context_.needed = opset;
    context_.half = options.half;
    context_.network = &graph_;
  }

  FileGraph run() {
    file_.name = "causeway";
    for (const Door& door : graph_.inputs()) {
      const std::string name = context_.names.free(door.name.empty() ? "input" : door.name);
      context_.value_names[door.value] = name;
      file_.inputs.push_back({name, door.value.dtype(), door.value.shape()});
    }
    for (const Door& door : graph_.outputs()) {
      // An input that is handed out as it is keeps its name, where the output has the same.
      const auto input = context_.value_names.find(door.value);
      const bool is_input = input != context_.value_names.end() && input->second == door.name;
      const std::string name = is_input ? door.name : context_.names.free(door.name.empty() ? "output" : door.name);
      file_.outputs.push_back({name, door.value.dtype(), door.value.shape()});
      if (!is_input) outputs_[door.value].push_back(name);
    }
    for (const SlotUse& use : graph_.slots()) context_.slot_names[use.path] = context_.names.free(use.path);
    for (const Node* node : graph_.nodes()) write(*node);
    name_outputs();
    refuse_if_any(std::move(faults_));
    return std::move(file_);
  }

  int64_t needed() const { return context_.needed; }
  const std::map<std::string, Role>& roles() const { return context_.roles; }

 private:
  void write(const Node& node) {
    NodeWriter writer(node, context_);
    try {
      const NodeRow* row = node_row(node.op.name());
      if (!row || !row->write) unfit(std::string(not_written(node.op.name())));
      row->write(writer);
    } catch (const Unfit& unfit) {
      writer.refuse(unfit.what());
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!context_.value_names.count(node.outputs[i])) context_.value_names[node.outputs[i]] = "";
    }
  }

  // What a graph's output is called is the door's affair: the node that makes it makes it under that name. A value
  // that no node makes, or that is given twice, goes through an Identity.
  void name_outputs() {
    if (!faults_.empty()) return;
    std::map<std::string, std::string> renamed;
    for (const Door& door : graph_.outputs()) {
      std::vector<std::string>& names = outputs_[door.value];
      if (names.empty()) continue;
      std::string made = name_of(door.value);
      for (const std::string& name : names) {
        if (renamed.count(made) == 0 && is_made_by_node(made)) {
          renamed[made] = name;
          continue;
        }
        const auto at = renamed.find(made);
        file_.nodes.push_back({.name = context_.node_names.free(name + "/Identity"),
                               .op = "Identity",
                               .inputs = {at == renamed.end() ? made : at->second},
                               .outputs = {name}});
      }
      names.clear();
    }
    for (FileNode& node : file_.nodes) {
      for (auto* all : {&node.inputs, &node.outputs}) {
        for (std::string& name : *all) {
          if (const auto at = renamed.find(name); at != renamed.end()) name = at->second;
        }
      }
    }
  }

  // A slot that is an output is written here, if no node has read it.
  std::string name_of(const Value& value) {
    const Node reader{.op = ops::Identity{}, .scope = &root_, .inputs = {value}, .outputs = {}};
    return NodeWriter(reader, context_).input(0);
  }

  bool is_made_by_node(const std::string& name) const {
    return std::any_of(file_.nodes.begin(), file_.nodes.end(), [&](const FileNode& node) {
      return std::find(node.outputs.begin(), node.outputs.end(), name) != node.outputs.end();
    });
  }

  const Graph& graph_;
  Scope root_;
  FileGraph file_;
  std::vector<Fault> faults_;
  WritingContext context_;
  std::unordered_map<Value, std::vector<std::string>> outputs_;
};

Json doors_of(const Graph& graph) {
  Json all;
  for (const Door& door : graph.inputs()) all.set(door.name, door.axes);
  bool any_output = false;
  for (const Door& door : graph.outputs()) {
    any_output = any_output || !door.axes.empty();
    if (!door.axes.empty()) all.set(door.name, door.axes);
  }
  return graph.inputs().size() == 1 && !any_output ? Json(graph.inputs()[0].axes) : all;
}

Properties metadata_of(const SavedNetwork& saved, const WriteOnnxOptions& options) {
  Properties metadata;
  const std::vector<std::string>& features = options.features.empty() ? saved.features : options.features;
  if (!features.empty()) {
    Json names = Json::Array{};
    for (const std::string& feature : features) names.push(feature);
    metadata.emplace_back("causeway.features", names.dump());
  }
  if (!saved.losses.empty()) {
    Json losses;
    for (const auto& [output, loss] : saved.losses) losses.set(output, nn::write_loss(loss));
    metadata.emplace_back("causeway.loss", losses.dump());
  }
  const auto has_axes = [](const Door& door) { return !door.axes.empty(); };
  const std::span<const Door> inputs = saved.network.inputs();
  if (std::any_of(inputs.begin(), inputs.end(), has_axes)) {
    metadata.emplace_back("causeway.doors", doors_of(saved.network.graph()).dump());
  }
  return metadata;
}

// What the nodes' own metadata would say of their layers.
void state_layers(FileModel& model) {
  LayerKinds kinds;
  for (const FileNode& node : model.graph.nodes) {
    const std::string* path = find(node.metadata, kLayerKey);
    const std::string* kind = find(node.metadata, kKindKey);
    if (path && kind && is_utf8(*path)) kinds.emplace(*path, *kind);
  }
  if (!kinds.empty()) model.metadata.emplace_back(kLayersKey, Json(Json::Object(kinds.begin(), kinds.end())).dump());
}

void expect_fitting_halves(const Slots& slots, const Graph& graph) {
  std::vector<Fault> faults;
  for (const SlotUse& use : graph.slots()) {
    const Slot& slot = slots.at(use.path);
    if (slot.role == Role::Constant || slot.numbers.dtype() != DType::Float32) continue;
    for (const float number : slot.numbers.values<float>()) {
      if (!std::isinf(widen(to_half(number)))) continue;
      faults.push_back({"slot " + quoted(slot.path),
                        "it holds " + text_of(number) + ", and float16 ends at 65504. Write it in full width."});
      break;
    }
  }
  refuse_if_any(std::move(faults));
}

}  // namespace

int64_t ir_version_of(int64_t opset) {
  constexpr int64_t kVersions[] = {3, 3, 4, 5, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10, 11, 12, 13};  // from opset 7
  return kVersions[opset - kOldestOpset];
}

FileModel written_model(const SavedNetwork& saved, const WriteOnnxOptions& options) {
  if (options.opset && (*options.opset < kOldestOpset || *options.opset > kNewestOpset)) {
    throw Refused("opset", "it is " + std::to_string(*options.opset) + ", and 7 to 25 are written.");
  }
  Slots slots = saved.network.slots();
  const Graph graph = with_recurrent_layers(with_channels_first(answering(saved, slots), slots), slots);
  if (options.half) expect_fitting_halves(slots, graph);
  FileModel model{.producer_name = "causeway", .producer_version = std::string(kVersion)};
  model.metadata = metadata_of(saved, options);
  // Ops say as they are written which set they need; a newer set may write others otherwise, so until it holds all.
  int64_t opset = options.opset.value_or(kOldestOpset);
  std::map<std::string, Role> roles;
  for (;;) {
    GraphWriter writer(graph, slots, options, opset);
    model.graph = writer.run();
    roles = writer.roles();
    if (options.opset || writer.needed() == opset) break;
    opset = writer.needed();
  }
  if (!roles.empty()) {
    Json all;
    for (const auto& [name, role] : roles) all.set(name, causeway::name_of(role));
    model.metadata.emplace_back("causeway.roles", all.dump());
  }
  model.opsets[""] = opset;
  model.ir_version = ir_version_of(opset);
  if (model.ir_version < kNodeMetadataIr) state_layers(model);
  return model;
}

}  // namespace causeway::formats::onnx
