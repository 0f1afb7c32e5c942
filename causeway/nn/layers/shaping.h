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

/// The row n times, one step behind another: [N, C] becomes [N, n, C].
struct RepeatVector {
  static constexpr std::string_view kWord = "repeat_vector", kKind = "RepeatVector";
  int64_t n = 0;

  static void settings(auto&& each) { each("n", &RepeatVector::n, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// A block of any axis but the batch: the places start … stop - 1, every step-th of them; counted from the end where
/// negative.
struct SliceBlock {
  static constexpr std::string_view kWord = "slice", kKind = "Slice";
  int64_t axis = -1, start = 0;
  std::optional<int64_t> stop = std::nullopt;
  int64_t step = 1;

  static void settings(auto&& each) {
    each("axis", &SliceBlock::axis);
    each("start", &SliceBlock::start);
    each("stop", &SliceBlock::stop);
    each("step", &SliceBlock::step);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// One place of an axis other than the batch; the axis goes.
struct Select {
  static constexpr std::string_view kWord = "select", kKind = "Select";
  int64_t axis = 1, index = 0;

  static void settings(auto&& each) {
    each("axis", &Select::axis);
    each("index", &Select::index, Need::Required);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x itself.
struct IdentityLayer {
  static constexpr std::string_view kWord = "identity", kKind = "Identity";
  static void settings(auto&&) {}
  Flow build(LayerBuild&, const Flow& x) const { return {x.value}; }
};

}  // namespace causeway::nn
