#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// The largest real cell of each window; border never wins.
template <size_t kAxes>
struct MaxPooling {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"max_pooling1d", "max_pooling2d", "max_pooling3d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"MaxPooling1D", "MaxPooling2D", "MaxPooling3D"});
  PerAxis pool_size = 2, strides = {}, dilation_rate = 1;
  Padding padding = {};
  bool ceil_mode = false;

  static void settings(auto&& each) {
    each("pool_size", &MaxPooling::pool_size);
    each("strides", &MaxPooling::strides);
    each("padding", &MaxPooling::padding);
    each("dilation_rate", &MaxPooling::dilation_rate);
    each("ceil_mode", &MaxPooling::ceil_mode);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The sum of each window's real cells, over their number or, with count_include_pad, over the border's too.
template <size_t kAxes>
struct AveragePooling {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"average_pooling1d", "average_pooling2d", "average_pooling3d"});
  static constexpr std::string_view kKind =
      nth(kAxes - 1, {"AveragePooling1D", "AveragePooling2D", "AveragePooling3D"});
  PerAxis pool_size = 2, strides = {};
  Padding padding = {};
  bool ceil_mode = false, count_include_pad = false;

  static void settings(auto&& each) {
    each("pool_size", &AveragePooling::pool_size);
    each("strides", &AveragePooling::strides);
    each("padding", &AveragePooling::padding);
    each("ceil_mode", &AveragePooling::ceil_mode);
    each("count_include_pad", &AveragePooling::count_include_pad);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Over all places at once: [N, C], or [N, 1…, C] with keepdims. Over a series, mask names a value above, [N, L]: steps
/// that are not real are left out, and the answer is 0 where none is real.
template <size_t kAxes>
struct GlobalMaxPooling {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"global_max_pooling1d", "global_max_pooling2d", "global_max_pooling3d"});
  static constexpr std::string_view kKind =
      nth(kAxes - 1, {"GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalMaxPooling3D"});
  bool keepdims = false;
  ValueNames mask = {};

  static void settings(auto&& each) {
    each("keepdims", &GlobalMaxPooling::keepdims);
    if (kAxes == 1) each("mask", &GlobalMaxPooling::mask);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The mean of all places; as GlobalMaxPooling, and of a series with the mask that comes with x where none is named.
template <size_t kAxes>
struct GlobalAveragePooling {
  static constexpr std::string_view kWord =
      nth(kAxes - 1, {"global_average_pooling1d", "global_average_pooling2d", "global_average_pooling3d"});
  static constexpr std::string_view kKind =
      nth(kAxes - 1, {"GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D"});
  bool keepdims = false;
  ValueNames mask = {};

  static void settings(auto&& each) {
    each("keepdims", &GlobalAveragePooling::keepdims);
    if (kAxes == 1) each("mask", &GlobalAveragePooling::mask);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Zeros around the places.
template <size_t kAxes>
struct ZeroPadding {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"zero_padding1d", "zero_padding2d", "zero_padding3d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"});
  Padding padding = Padding::stated(1);

  static void settings(auto&& each) { each("padding", &ZeroPadding::padding); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

#define CAUSEWAY_OVER_AXES(kind, shape) \
  shape template struct kind<1>;        \
  shape template struct kind<2>;        \
  shape template struct kind<3>
CAUSEWAY_OVER_AXES(MaxPooling, extern);
CAUSEWAY_OVER_AXES(AveragePooling, extern);
CAUSEWAY_OVER_AXES(GlobalMaxPooling, extern);
CAUSEWAY_OVER_AXES(GlobalAveragePooling, extern);
CAUSEWAY_OVER_AXES(ZeroPadding, extern);

}  // namespace causeway::nn
