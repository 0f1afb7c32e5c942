#pragma once

#include <array>
#include <string_view>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// What of a batch's variance enters the running one: times n / (n - 1), or as it is.
enum class RunningVariance { Unbiased, Biased };
constexpr auto words_of(RunningVariance) { return std::array<std::string_view, 2>{"unbiased", "biased"}; }

/// Batch normalization by running statistics, channel by channel:
/// y = (x - running_mean) / sqrt(running_var + epsilon) * weight + bias. In a training step it is BatchNormTraining, and
/// its running statistics, which are slots then, become momentum * running + (1 - momentum) * new; where they are held
/// it stays as it is.
///
/// Shapes     x, y [any] with C along the axis; weight, bias (either may be absent), running_mean, running_var [C].
/// Settings   axis: the channels', from the end where negative. epsilon. momentum: the share of the old that is kept
///            (PyTorch's momentum is 1 less it). running_variance: the batch's variance enters times n / (n - 1)
///            (Unbiased, PyTorch; a single value a channel is refused) or as it is (Biased, Keras).
/// Gradient   to x, weight and bias; the running statistics are measured, none flows there.
/// Source     https://onnx.ai/onnx/operators/onnx__BatchNormalization.html;
///            Ioffe and Szegedy 2015, https://arxiv.org/abs/1502.03167
struct BatchNorm {
  static constexpr std::string_view kName = "BatchNormalization";
  static constexpr Keeps kKeeps = Keeps::Axes;
  int64_t axis = -1;
  float epsilon = 1e-5f;
  float momentum = 0.9f;
  RunningVariance running_variance = RunningVariance::Unbiased;

  static void fields(auto&& each) {
    each("axis", &BatchNorm::axis);
    each("epsilon", &BatchNorm::epsilon);
    each("momentum", &BatchNorm::momentum);
    each("running_variance", &BatchNorm::running_variance);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// Batch normalization by the batch's own mean and biased variance, in two passes.
///
/// Shapes     x [any] with C along the axis; weight, bias [C], either may be absent; y as x; mean, variance [C].
/// Settings   axis, epsilon: as BatchNorm's. at_least_two: a single value a channel is refused.
/// Gradient   BatchNormGradient to x, weight and bias, from y alone.
struct BatchNormTraining {
  static constexpr std::string_view kName = "BatchNormTraining";
  int64_t axis = -1;
  float epsilon = 1e-5f;
  bool at_least_two = false;

  static void fields(auto&& each) {
    each("axis", &BatchNormTraining::axis);
    each("epsilon", &BatchNormTraining::epsilon);
    each("at_least_two", &BatchNormTraining::at_least_two);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// The gradient of BatchNormTraining. With n values a channel, h = (x - mean) / sqrt(variance + epsilon):
/// dbias = sum(dy), dweight = sum(dy * h), dx = weight / sqrt(variance + epsilon) * (dy - dbias / n - h * dweight / n).
///
/// Shapes     dy, x, dx [any]; weight (may be absent), mean, variance [C]; dweight, dbias [C].
/// Settings   axis, epsilon: as BatchNorm's.
struct BatchNormGradient {
  static constexpr std::string_view kName = "BatchNormGradient";
  static constexpr std::string_view kNoGradient = "the gradient of a batch normalization is not differentiated again.";
  int64_t axis = -1;
  float epsilon = 1e-5f;

  static void fields(auto&& each) {
    each("axis", &BatchNormGradient::axis);
    each("epsilon", &BatchNormGradient::epsilon);
  }
  Types infer(std::span<const Type> inputs) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
