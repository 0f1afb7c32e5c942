#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// The largest of each of n bins of every place axis; bin i of L places holds ⌊i · L/n⌋ … ⌈(i+1) · L/n⌉ - 1. Bins may
/// overlap, and there may be more of them than places.
template <size_t kAxes>
struct AdaptiveMaxPooling {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"adaptive_max_pooling1d", "adaptive_max_pooling2d", "adaptive_max_pooling3d"});
  static constexpr std::string_view kKind =
      nth(kAxes - 1, {"AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D", "AdaptiveMaxPooling3D"});
  PerAxis output_size = {};

  static void settings(auto&& each) { each("output_size", &AdaptiveMaxPooling::output_size, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The mean of each bin; bins as AdaptiveMaxPooling's.
template <size_t kAxes>
struct AdaptiveAveragePooling {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"adaptive_average_pooling1d", "adaptive_average_pooling2d", "adaptive_average_pooling3d"});
  static constexpr std::string_view kKind =
      nth(kAxes - 1, {"AdaptiveAveragePooling1D", "AdaptiveAveragePooling2D", "AdaptiveAveragePooling3D"});
  PerAxis output_size = {};

  static void settings(auto&& each) { each("output_size", &AdaptiveAveragePooling::output_size, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

extern template struct AdaptiveMaxPooling<1>;
extern template struct AdaptiveMaxPooling<2>;
extern template struct AdaptiveMaxPooling<3>;
extern template struct AdaptiveAveragePooling<1>;
extern template struct AdaptiveAveragePooling<2>;
extern template struct AdaptiveAveragePooling<3>;

}  // namespace causeway::nn
