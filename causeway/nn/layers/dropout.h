#pragma once

#include <vector>

#include "causeway/nn/layer.h"

namespace causeway::nn {

// What disturbs numbers while training and is the identity when answering.

/// Dropout: elements are 0 at the rate, the others times 1 / (1 - rate).
///
/// Settings   noise_shape: a length an axis, the batch's first: 1 where a draw is shared along the axis, otherwise the
///            axis's own or null.
struct Dropout {
  static constexpr std::string_view kWord = "dropout", kKind = "Dropout";
  float rate = 0.5f;
  OpenLengths noise_shape = {};

  static void settings(auto&& each) {
    each("rate", &Dropout::rate, Need::Required);
    each("noise_shape", &Dropout::noise_shape);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Dropout of whole channels: one draw for each example and channel.
template <size_t kAxes>
struct SpatialDropout {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"spatial_dropout1d", "spatial_dropout2d", "spatial_dropout3d"});
  static constexpr std::string_view kKind =
      nth(kAxes - 1, {"SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"});
  float rate = 0.5f;

  static void settings(auto&& each) { each("rate", &SpatialDropout::rate, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};
extern template struct SpatialDropout<1>;
extern template struct SpatialDropout<2>;
extern template struct SpatialDropout<3>;

/// x * (1 + z * sqrt(rate / (1 - rate))), z standard normal.
struct GaussianDropout {
  static constexpr std::string_view kWord = "gaussian_dropout", kKind = "GaussianDropout";
  float rate = 0.5f;

  static void settings(auto&& each) { each("rate", &GaussianDropout::rate, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x + stddev * z, z standard normal; stddev is one number, or one a channel: noise on features.
struct GaussianNoise {
  static constexpr std::string_view kWord = "gaussian_noise", kKind = "GaussianNoise";
  std::vector<float> stddev = {1};

  static void settings(auto&& each) { each("stddev", &GaussianNoise::stddev, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Dropout behind a SELU: what is dropped becomes SELU's least value, and mean and variance are kept.
struct AlphaDropout {
  static constexpr std::string_view kWord = "alpha_dropout", kKind = "AlphaDropout";
  float rate = 0.5f;

  static void settings(auto&& each) { each("rate", &AlphaDropout::rate, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
