#pragma once

#include "causeway/graph/op.h"
#include "causeway/ops/window.h"

namespace causeway::ops {

/// Convolution (the window is not flipped) over one to three place axes, in groups: output channel o of group
/// g = o div (out / G) reads the input channels g * in/G … (g + 1) * in/G - 1.
///
/// Shapes     as Layout says: x [N, D.., in] or [N, in, D..]; weight [k.., in/G, out] or [out, in/G, k..]; bias [out],
///            which may be absent; y as x, with the places that the window makes and out channels.
/// Settings   window: its size is the weight's. groups: divides in and out. layout.
/// Gradient   ConvInputGradient to x, ConvWeightGradient to weight, the sum of dy over rows and places to bias.
/// Source     https://onnx.ai/onnx/operators/onnx__Conv.html
struct Conv {
  static constexpr std::string_view kName = "Conv";
  Window window = {};
  int64_t groups = 1;
  Layout layout = Layout::ChannelsLast;

  static void fields(auto&& each) {
    each("window", &Conv::window);
    each("groups", &Conv::groups);
    each("layout", &Conv::layout);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of Conv to its input, which is also the transposed convolution: input place i and tap j of dy add to
/// place i * stride + j * dilation - before of dx; what falls outside is dropped.
///
/// Shapes     dy as Conv's y; weight as Conv's; lengths [rank] int64, of dx, over which the window makes dy's places.
/// Settings   as Conv's.
/// Gradient   Conv to dy, ConvWeightGradient to weight.
/// Source     https://onnx.ai/onnx/operators/onnx__ConvTranspose.html
struct ConvInputGradient {
  static constexpr std::string_view kName = "ConvInputGradient";
  Window window = {};
  int64_t groups = 1;
  Layout layout = Layout::ChannelsLast;

  static void fields(auto&& each) {
    each("window", &ConvInputGradient::window);
    each("groups", &ConvInputGradient::groups);
    each("layout", &ConvInputGradient::layout);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of Conv to its weight: for each tap the products of what it read and of dy, summed over rows and
/// places.
///
/// Shapes     x, dy as Conv's x and y; lengths [rank] int64, of the weight.
/// Settings   as Conv's.
/// Gradient   ConvInputGradient to x, Conv to dy.
struct ConvWeightGradient {
  static constexpr std::string_view kName = "ConvWeightGradient";
  Window window = {};
  int64_t groups = 1;
  Layout layout = Layout::ChannelsLast;

  static void fields(auto&& each) {
    each("window", &ConvWeightGradient::window);
    each("groups", &ConvWeightGradient::groups);
    each("layout", &ConvWeightGradient::layout);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
};

}  // namespace causeway::ops
