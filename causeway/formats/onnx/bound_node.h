#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// A node of a file whose settings are numbers that an input hands in (the axes of a ReduceSum): it is read when the
/// graph is bound, and the inputs' numbers are known.
struct BoundNode {
  static constexpr std::string_view kName = "BoundNode";
  static constexpr std::string_view kNoGradient =
      "an input of the network says its settings, so that it is known only when that is handed in.";
  std::shared_ptr<const PlannedNode> planned = {};
  /// The inputs whose numbers decide.
  std::vector<size_t> decides = {};
  bool from_pytorch = false;
  DType doubles = DType::Float32;

  static void fields(auto&&) {}
  Types infer(std::span<const Type> inputs) const;
  Values expanded(GraphBuilder& graph, const Values& inputs) const;
  std::vector<size_t> decided_by() const { return decides; }
};

}  // namespace causeway::formats::onnx
