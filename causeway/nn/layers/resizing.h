#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// Every place `size` times along each axis: nearest, y[i] = x[i div size]; over images also bilinear (half_pixel).
template <size_t kAxes>
struct UpSampling {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"up_sampling1d", "up_sampling2d", "up_sampling3d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"UpSampling1D", "UpSampling2D", "UpSampling3D"});
  PerAxis size = 2;
  std::string interpolation = "nearest";

  static void settings(auto&& each) {
    each("size", &UpSampling::size);
    if (kAxes == 2) each("interpolation", &UpSampling::interpolation);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};
extern template struct UpSampling<1>;
extern template struct UpSampling<2>;
extern template struct UpSampling<3>;

/// Images of other lengths, axis by axis: output place i stands at the source u = (i + ½) · L/n - ½ (half_pixel),
/// i · L/n (asymmetric) or i · (L-1)/(n-1) (align_corners). bilinear blends the two neighbours of u, nearest takes the
/// place at u + ½ (half_pixel) or u, both rounded down.
struct Resizing {
  static constexpr std::string_view kWord = "resizing", kKind = "Resizing";
  int64_t height = 0, width = 0;
  std::string interpolation = "bilinear", coordinates = "half_pixel";

  static void settings(auto&& each) {
    each("height", &Resizing::height, Need::Required);
    each("width", &Resizing::width, Need::Required);
    each("interpolation", &Resizing::interpolation);
    each("coordinates", &Resizing::coordinates);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
