#pragma once

#include <array>
#include <string_view>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Whether a row may be of a single number, which has no spread.
enum class SingleNumber { Taken, RefusedInTraining, Refused };
constexpr auto words_of(SingleNumber) {
  return std::array<std::string_view, 3>{"taken", "refused_in_training", "refused"};
}

/// Layer normalization: y = (x - mean) / sqrt(variance + epsilon) * weight + bias, mean and biased variance taken over
/// some axes of each row; or by the root mean square, y = x / sqrt(mean(x^2) + epsilon) * weight.
///
/// Shapes     x, y [any]; weight, bias have the lengths of the axes, in the order of x; either may be absent.
/// Settings   axes: each once, from the end where negative. epsilon. rms: by the root mean square, without a bias.
///            single: what is done about rows of one number; in a training step RefusedInTraining becomes Refused.
/// Gradient   LayerNormGradient.
/// Source     https://onnx.ai/onnx/operators/onnx__LayerNormalization.html;
///            Ba and others 2016, https://arxiv.org/abs/1607.06450
struct LayerNorm {
  static constexpr std::string_view kName = "LayerNormalization";
  static constexpr Keeps kKeeps = Keeps::Axes;
  std::vector<int64_t> axes = {-1};
  float epsilon = 1e-5f;
  bool rms = false;
  SingleNumber single = SingleNumber::Taken;

  static void fields(auto&& each) {
    each("axes", &LayerNorm::axes);
    each("epsilon", &LayerNorm::epsilon);
    each("rms", &LayerNorm::rms);
    each("single", &LayerNorm::single);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of LayerNorm, to its input, weight and bias. With h the normalized x, g = dy * weight and means over
/// the axes: dx = (g - mean(g) - h * mean(g * h)) / deviation, without mean(g) where rms; dweight = sum(dy * h) and
/// dbias = sum(dy) over all other axes.
///
/// Shapes     dy, x, dx [any]; weight (may be absent), dweight, dbias: the lengths of the axes. dbias is made where rms
///            too.
/// Settings   as LayerNorm's.
struct LayerNormGradient {
  static constexpr std::string_view kName = "LayerNormGradient";
  static constexpr std::string_view kNoGradient = "the gradient of a layer normalization is not differentiated again.";
  std::vector<int64_t> axes = {-1};
  float epsilon = 1e-5f;
  bool rms = false;

  static void fields(auto&& each) {
    each("axes", &LayerNormGradient::axes);
    each("epsilon", &LayerNormGradient::epsilon);
    each("rms", &LayerNormGradient::rms);
  }
  Types infer(std::span<const Type> inputs) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
