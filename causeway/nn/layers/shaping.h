#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// [N, rest], place by place, the channel fastest; [N] becomes [N, 1].
struct Flatten {
  static constexpr std::string_view kWord = "flatten", kKind = "Flatten";
  static void settings(auto&&) {}
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The same numbers of each example under other lengths; one may be -1.
struct Reshape {
  static constexpr std::string_view kWord = "reshape", kKind = "Reshape";
  std::vector<int64_t> target_shape;

  static void settings(auto&& each) { each("target_shape", &Reshape::target_shape, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The axes of each example in another order, counted from 1 without the batch.
struct Permute {
  static constexpr std::string_view kWord = "permute", kKind = "Permute";
  std::vector<int64_t> dims;

  static void settings(auto&& each) { each("dims", &Permute::dims, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Dropout while training; the identity when answering. noise_shape: 1 where a draw is shared along an axis (the
/// batch's axis included).
struct Dropout {
  static constexpr std::string_view kWord = "dropout", kKind = "Dropout";
  static constexpr bool kKeepsMask = true;
  float rate = 0.5f;
  std::vector<int64_t> noise_shape = {};

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
  static constexpr bool kKeepsMask = true;
  float rate = 0.5f;

  static void settings(auto&& each) { each("rate", &SpatialDropout::rate, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};
extern template struct SpatialDropout<1>;
extern template struct SpatialDropout<2>;
extern template struct SpatialDropout<3>;

}  // namespace causeway::nn
