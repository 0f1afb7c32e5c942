#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/model.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// One node as it will be read: functions are inlined, and its names are the whole graph's.
struct PlannedNode {
  FileNode node = {};
  /// "node 'conv1' (Conv)", for faults.
  std::string where = {};
  /// Of its domain; 0 where the file imports none.
  int64_t opset = 0;
  /// Of every domain, for graphs inside the node.
  std::shared_ptr<const Opsets> opsets = {};
  /// The layer it belongs to.
  Scope scope = {};
};

/// A graph whose nodes stand below what they read. Constant nodes are initializers.
struct GraphPlan {
  std::vector<FileDoor> inputs = {}, outputs = {};
  std::vector<PlannedNode> nodes = {};
  std::vector<FileTensor> initializers = {};

  const FileTensor* initializer(std::string_view name) const;

  std::unordered_map<std::string, size_t> initializer_places = {};
};

/// Where a body stands: in front of its nodes' places, and the names around it, which its own may not be.
struct AroundBody {
  std::string place = {};
  std::function<bool(const std::string&)> knows = {};
};

/// Inlines functions, takes Constant nodes as initializers, checks that every value has one name and one maker, and
/// sorts. Faults go to `faults`; a node in a ring, or of a name made twice, is left out of the plan.
GraphPlan plan_graph(FileModel model, std::vector<Fault>& faults, std::vector<std::string>& notes,
                     const AroundBody& around = {});

}  // namespace causeway::formats::onnx
