#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/load.h"
#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/formats/onnx/node_reader.h"
#include "causeway/formats/onnx/slot_roles.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// A graph's plan and what follows from it, worked out once however often it is read.
struct PlannedGraph {
  GraphPlan plan = {};
  std::unordered_map<std::string, SlotUseInFile> uses = {};
  /// How many nodes read each name.
  std::unordered_map<std::string, size_t> readers = {};

  PlannedGraph() = default;
  explicit PlannedGraph(GraphPlan planned);
};

/// What all graphs of one file share while they are read: the network being built and what was noticed.
struct FileReading {
  Slots& slots;
  GraphBuilder& builder;
  std::vector<Fault>& faults;
  std::vector<std::string>& notes;
  /// Numbers of learned and measured slots, for load().
  std::vector<Entry>& entries;
  std::shared_ptr<const std::vector<FileFunction>> functions = {};
  /// Running variances are PyTorch's: unbiased.
  bool from_pytorch = false;
  /// float64 is computed as such; in float32 where anything is learned.
  bool keeps_double = false;
  /// The network is bound already: nothing is learned any more, and nothing can wait.
  bool is_bound = false;
  /// Numbers of a wider or narrower dtype than they are computed in were met.
  bool computes_in_less = false;
  /// Nodes read so far, those of bodies once for each turn.
  size_t nodes_read = 0;

  /// A body is planned once, however often it is read, and its initializers are slots once.
  std::map<const FileGraph*, std::shared_ptr<const PlannedGraph>> bodies = {};
  std::map<const FileTensor*, Value> declared = {};

  /// What a value of that dtype is computed in.
  DType computed(DType dtype) const {
    if (dtype == DType::Float64) return keeps_double ? dtype : DType::Float32;
    return is_floating(dtype) ? DType::Float32 : dtype;
  }
};

/// Reads the nodes of one graph, or of the body of an If or Loop, whose nodes see the values around it.
class NodeWalk {
 public:
  NodeWalk(FileReading& reading, const PlannedGraph& graph, NodeWalk* outer = nullptr)
      : reading_(reading), graph_(graph), outer_(outer) {}

  /// What a name of the graph stands for.
  void give(const std::string& name, const Value& value) { values_[name] = value; }
  void read_nodes();
  /// The value of that name: given, made, an initializer, or one of the graph around it; an unknown one otherwise.
  Value value(const std::string& name);
  bool knows(const std::string& name) const;
  /// One node that waited until the graph was bound.
  Values read_bound(const PlannedNode& planned, Values inputs);

 private:
  void count(const PlannedNode& planned);
  void read_node(const PlannedNode& planned);
  Values outputs_of(const PlannedNode& planned, Values inputs);
  Values read_by_table(const PlannedNode& planned, NodeReader& node);
  Values read_when_bound(const PlannedNode& planned, NodeReader& node, const NotKnownYet& unknown);
  Values read_body(const PlannedNode& planned, const FileGraph& body, const Values& inputs);
  std::shared_ptr<const PlannedGraph> plan_of(const PlannedNode& planned, const FileGraph& body);
  bool is_made_of_inputs(const Value& value) const;
  Value unknown();
  Value initializer(const std::string& name, const FileTensor& tensor);
  Value input_of(const PlannedNode& planned, size_t i);
  Value declared(const FileTensor& tensor, const SlotUseInFile& use, bool is_copy);

  FileReading& reading_;
  const PlannedGraph& graph_;
  NodeWalk* outer_;
  std::unordered_map<std::string, Value> values_;
};

}  // namespace causeway::formats::onnx
