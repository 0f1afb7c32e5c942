#pragma once

#include <vector>

#include "causeway/graph/op.h"

namespace causeway::ops {

// Noise: answering, the identity. In a training step each element draws a number of its own, addressed by the seed, by
// what the draw is for with the path of the layer, and by the count of batches. `drawn_in` is the order of axes in which
// the draws are numbered, as they stand unless stated.

/// Training, x + stddev * z, z standard normal ("noise:" with the layer's path).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   stddev: one number, or one for each place along `axis`; finite, at least 0. axis: from the end where
///            negative.
/// Gradient   dy.
/// Source     https://keras.io/api/layers/regularization_layers/gaussian_noise/
struct GaussianNoise {
  static constexpr std::string_view kName = "GaussianNoise";
  static constexpr Keeps kKeeps = Keeps::Axes;
  std::vector<float> stddev = {0};
  int64_t axis = -1;
  std::vector<size_t> drawn_in = {};

  static void fields(auto&& each) {
    each("stddev", &GaussianNoise::stddev);
    each("axis", &GaussianNoise::axis);
    each("drawn_in", &GaussianNoise::drawn_in);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// Training, x * (1 + z * sqrt(rate / (1 - rate))), z standard normal ("noise:" with the layer's path).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   rate: in [0, 1).
/// Gradient   answering, dy.
/// Source     Srivastava and others 2014, https://jmlr.org/papers/v15/srivastava14a.html
struct GaussianDropout {
  static constexpr std::string_view kName = "GaussianDropout";
  static constexpr Keeps kKeeps = Keeps::Axes;
  float rate = 0;
  std::vector<size_t> drawn_in = {};

  static void fields(auto&& each) {
    each("rate", &GaussianDropout::rate);
    each("drawn_in", &GaussianDropout::drawn_in);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// Training, a * (x where a uniform draw is at least `rate`, -alpha * lambda elsewhere) + b, with
/// a = ((1 - rate) * (1 + rate * (alpha * lambda)^2))^(-1/2) and b = a * alpha * lambda * rate: values of mean 0 and
/// variance 1 behind a SELU keep both ("dropout:" with the layer's path).
///
/// Shapes     x, y [any]; y keeps the shape and dtype of x, which is floating.
/// Settings   rate: in [0, 1).
/// Gradient   answering, dy.
/// Source     Klambauer and others 2017, https://arxiv.org/abs/1706.02515
struct AlphaDropout {
  static constexpr std::string_view kName = "AlphaDropout";
  static constexpr Keeps kKeeps = Keeps::Axes;
  float rate = 0;
  std::vector<size_t> drawn_in = {};

  static void fields(auto&& each) {
    each("rate", &AlphaDropout::rate);
    each("drawn_in", &AlphaDropout::drawn_in);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

/// Whether an op only disturbs numbers while training, one by one: a dropout or a noise. Answering, it is the identity.
bool is_noise(const Op& op);

}  // namespace causeway::ops
