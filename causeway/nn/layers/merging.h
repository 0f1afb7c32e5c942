#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// Element by element over two or more values, in the order they are named; `subtract` takes two. Lengths are equal, or
/// 1 where another has a length.
enum class MergeKind { Add, Multiply, Average, Maximum, Minimum, Subtract };

template <MergeKind kMerge>
struct Merge {
  static constexpr std::string_view kWord =
      nth(static_cast<size_t>(kMerge), {"add", "multiply", "average", "maximum", "minimum", "subtract"});
  static constexpr std::string_view kKind =
      nth(static_cast<size_t>(kMerge), {"Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract"});

  static void settings(auto&&) {}
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
};

/// Side by side along an axis, never the batch.
struct Concatenate {
  static constexpr std::string_view kWord = "concatenate", kKind = "Concatenate";
  int64_t axis = -1;

  static void settings(auto&& each) { each("axis", &Concatenate::axis); }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
};

extern template struct Merge<MergeKind::Add>;
extern template struct Merge<MergeKind::Multiply>;
extern template struct Merge<MergeKind::Average>;
extern template struct Merge<MergeKind::Maximum>;
extern template struct Merge<MergeKind::Minimum>;
extern template struct Merge<MergeKind::Subtract>;

/// The products of two values summed over an axis of each, example by example: [N, a, k] and [N, b, k] over the last axes
/// become [N, a, b]; of rows [N, k] it is [N, 1].
///
/// Settings   axes: the axis of each, one number for both or a pair. normalize: each is a unit along its axis first.
struct Dot {
  static constexpr std::string_view kWord = "dot", kKind = "Dot";
  std::vector<int64_t> axes = {-1};
  bool normalize = false;

  static void settings(auto&& each) {
    each("axes", &Dot::axes, Need::Required);
    each("normalize", &Dot::normalize);
  }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
};

}  // namespace causeway::nn
