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

}  // namespace causeway::nn
