#pragma once

#include "causeway/graph/op.h"
#include "causeway/ops/window.h"

namespace causeway::ops {

/// The largest real cell of each window, channel by channel. The border never wins; a NaN does.
///
/// Shapes     x [N, D.., C] or [N, C, D..], one to three place axes; y as x with the places that the window makes. A
///            window of border alone is refused.
/// Settings   window, layout.
/// Gradient   to the first largest cell of each window.
/// Source     https://onnx.ai/onnx/operators/onnx__MaxPool.html
struct MaxPool {
  static constexpr std::string_view kName = "MaxPool";
  Window window = {};
  Layout layout = Layout::ChannelsLast;

  static void fields(auto&& each) {
    each("window", &MaxPool::window);
    each("layout", &MaxPool::layout);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of MaxPool: each dy is added to the first largest cell of its window.
///
/// Shapes     dy as MaxPool's y; x, dx as its x.
/// Settings   as MaxPool's.
struct MaxPoolGradient {
  static constexpr std::string_view kName = "MaxPoolGradient";
  static constexpr std::string_view kNoGradient = "the gradient of a max pooling is not differentiated again.";
  Window window = {};
  Layout layout = Layout::ChannelsLast;

  static void fields(auto&& each) {
    each("window", &MaxPoolGradient::window);
    each("layout", &MaxPoolGradient::layout);
  }
  Types infer(std::span<const Type> inputs) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
