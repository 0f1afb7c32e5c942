#pragma once

#include <array>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// What an update becomes together with the number that is there.
enum class PutKind { Replace, Add, Mul, Max, Min };
constexpr auto words_of(PutKind) { return std::array<std::string_view, 5>{"replace", "add", "mul", "max", "min"}; }

/// x with other numbers in the places that indices name along one axis, in the order of the indices: of several for one
/// place the last stays where it replaces. An index below 0 counts from the end; one out of range is refused from run,
/// with its place.
///
/// Shapes     x, y [any]; indices [any] int64 or int32; updates: x with its axis replaced by the axes of indices.
/// Settings   axis: from the end where negative. kind.
/// Gradient   Replace and Add: to x and the updates, none to what another update has replaced. The others have none.
/// Source     https://onnx.ai/onnx/operators/onnx__ScatterND.html
struct Put {
  static constexpr std::string_view kName = "Put";
  int64_t axis = 0;
  PutKind kind = PutKind::Replace;

  static void fields(auto&& each) {
    each("axis", &Put::axis);
    each("kind", &Put::kind);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
