#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// Numbers of categories as rows of num_tokens places. A number outside [0, num_tokens) is refused from run with its place.
///
/// Settings   output_mode: multi_hot, [N, L] becomes [N, num_tokens], 1 where a category is among the L; count, how often
///            it is; one_hot, [N], [N, 1] or [N, L] becomes [N, num_tokens] or [N, L, num_tokens], each by itself.
struct CategoryEncoding {
  static constexpr std::string_view kWord = "category_encoding", kKind = "CategoryEncoding";
  int64_t num_tokens = 0;
  std::string output_mode = "multi_hot";

  static void settings(auto&& each) {
    each("num_tokens", &CategoryEncoding::num_tokens, Need::Required);
    each("output_mode", &CategoryEncoding::output_mode);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Which bin a number lies in, as int32: how many of the boundaries it has reached. NaN lies behind the last.
///
/// Settings   bin_boundaries: ascending; a number on one lies in the bin that begins there. output_mode: int.
struct Discretization {
  static constexpr std::string_view kWord = "discretization", kKind = "Discretization";
  std::vector<float> bin_boundaries;
  std::string output_mode = "int";

  static void settings(auto&& each) {
    each("bin_boundaries", &Discretization::bin_boundaries, Need::Required);
    each("output_mode", &Discretization::output_mode);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
