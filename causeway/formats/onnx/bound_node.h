#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// A node of a file that is read when the graph is bound: an input of the network hands its settings in (the axes of a
/// ReduceSum), or they follow from lengths that are open until then (the condition of an If, the steps of an LSTM).
struct BoundNode {
  static constexpr std::string_view kName = "BoundNode";
  static constexpr std::string_view kNoGradient =
      "what it does is known only when the network's inputs are; bind the lengths that decide it (--dim) when reading.";
  std::shared_ptr<const PlannedNode> planned = {};
  std::shared_ptr<const std::vector<FileFunction>> functions = {};
  /// The inputs whose numbers decide.
  std::vector<size_t> decides = {};
  /// Names of values around the node that its bodies read: inputs of this op behind the node's own.
  std::vector<std::string> captured = {};
  bool from_pytorch = false, keeps_double = false;

  static void fields(auto&&) {}
  Types infer(std::span<const Type> inputs) const;
  Values expanded(GraphBuilder& graph, const Values& inputs) const;
  std::vector<size_t> decided_by() const { return decides; }
};

}  // namespace causeway::formats::onnx
