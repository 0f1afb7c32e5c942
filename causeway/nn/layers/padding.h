#pragma once

#include "causeway/nn/layer.h"
#include "causeway/ops/pad.h"

namespace causeway::nn {

/// Places around those of x; batch and channels never get any.
///
/// Settings   padding: a number, one an axis, or both sides of each. mode: constant (value); reflect, without the border
///            place itself; edge, the border place again; wrap, from the other end.
template <size_t kAxes>
struct PadPlaces {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"pad1d", "pad2d", "pad3d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"Pad1D", "Pad2D", "Pad3D"});
  Padding padding = Padding::stated(1);
  std::string mode = "constant";
  float value = 0;

  static void settings(auto&& each) {
    each("padding", &PadPlaces::padding);
    each("mode", &PadPlaces::mode);
    each("value", &PadPlaces::value);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Places taken away on each side.
template <size_t kAxes>
struct Cropping {
  static constexpr std::string_view kWord = nth(kAxes - 1, {"cropping1d", "cropping2d", "cropping3d"});
  static constexpr std::string_view kKind = nth(kAxes - 1, {"Cropping1D", "Cropping2D", "Cropping3D"});
  /// Keras's own: a place on each side, and none over two axes.
  Padding cropping = Padding::stated(kAxes == 2 ? 0 : 1);

  static void settings(auto&& each) { each("cropping", &Cropping::cropping); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The middle of images: height × width places from ⌊(L - n) / 2⌋ on along either axis. An image that has fewer is refused.
struct CenterCrop {
  static constexpr std::string_view kWord = "center_crop", kKind = "CenterCrop";
  int64_t height = 0, width = 0;

  static void settings(auto&& each) {
    each("height", &CenterCrop::height, Need::Required);
    each("width", &CenterCrop::width, Need::Required);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

extern template struct PadPlaces<1>;
extern template struct PadPlaces<2>;
extern template struct PadPlaces<3>;
extern template struct Cropping<1>;
extern template struct Cropping<2>;
extern template struct Cropping<3>;

}  // namespace causeway::nn
