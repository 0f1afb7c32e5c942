#pragma once

#include "causeway/graph/op.h"
#include "causeway/ops/window.h"

namespace causeway::ops {

/// The mean of each window's real cells, channel by channel.
///
/// Shapes     x [N, D.., C] or [N, C, D..], one to three place axes; y as x with the places that the window makes. A
///            window of border alone is refused.
/// Settings   window, layout. count_include_pad: divide by all cells inside the input and its stated border instead
///            (what ceil_mode reaches beyond that is not counted).
/// Gradient   AveragePoolGradient.
/// Source     https://onnx.ai/onnx/operators/onnx__AveragePool.html
struct AveragePool {
  static constexpr std::string_view kName = "AveragePool";
  Window window = {};
  Layout layout = Layout::ChannelsLast;
  bool count_include_pad = false;

  static void fields(auto&& each) {
    each("window", &AveragePool::window);
    each("layout", &AveragePool::layout);
    each("count_include_pad", &AveragePool::count_include_pad);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of AveragePool: each dy is added to every real cell of its window, divided as there.
///
/// Shapes     dy as AveragePool's y; lengths [rank] int64, of dx.
/// Settings   as AveragePool's.
/// Gradient   AveragePool to dy.
struct AveragePoolGradient {
  static constexpr std::string_view kName = "AveragePoolGradient";
  Window window = {};
  Layout layout = Layout::ChannelsLast;
  bool count_include_pad = false;

  static void fields(auto&& each) {
    each("window", &AveragePoolGradient::window);
    each("layout", &AveragePoolGradient::layout);
    each("count_include_pad", &AveragePoolGradient::count_include_pad);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
