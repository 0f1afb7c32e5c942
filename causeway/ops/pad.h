#pragma once

#include <array>
#include <string_view>

#include "causeway/graph/op.h"

namespace causeway::ops {

enum class PadMode { Constant, Reflect, Edge, Wrap };
constexpr auto words_of(PadMode) { return std::array<std::string_view, 4>{"constant", "reflect", "edge", "wrap"}; }

/// The place along an axis of that length that a place before, in or behind it copies; -1: none, it is the value.
int64_t copied_place(PadMode mode, int64_t place, int64_t length);

/// Places before and after along every axis: a value, or cells of x itself; a negative count takes places away.
///
/// Shapes     x [any]; pads [2 * rank] int64: before each axis, then after each; value [] of x's dtype, 0 if absent.
/// Settings   mode: Constant; Reflect (the border itself is not repeated; less than the length); Edge; Wrap (at
///            most the length).
/// Gradient   PadGradient to x; none to the value.
/// Source     https://onnx.ai/onnx/operators/onnx__Pad.html
struct Pad {
  static constexpr std::string_view kName = "Pad";
  static constexpr Keeps kKeeps = Keeps::Axes;
  PadMode mode = PadMode::Constant;

  static void fields(auto&& each) { each("mode", &Pad::mode); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of Pad: each cell of dx is the sum of the cells of dy that were copies of it.
///
/// Shapes     dy as Pad's y; lengths [rank] int64, of dx; pads as Pad's.
/// Settings   as Pad's.
/// Gradient   Pad, with the value 0.
struct PadGradient {
  static constexpr std::string_view kName = "PadGradient";
  PadMode mode = PadMode::Constant;

  static void fields(auto&& each) { each("mode", &PadGradient::mode); }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
