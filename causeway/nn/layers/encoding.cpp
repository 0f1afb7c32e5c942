#include "causeway/nn/layers/encoding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "causeway/base/quoted.h"
#include "causeway/ops/build.h"
#include "causeway/ops/row_numbers.h"

namespace causeway::nn {

Flow CategoryEncoding::build(LayerBuild& build, const Flow& x) const {
  // One constant holds them all.
  constexpr int64_t kMostTokens = 1 << 24;
  if (num_tokens < 1 || num_tokens > kMostTokens) {
    unfit("'num_tokens' is " + std::to_string(num_tokens) + ", and 1 to " + std::to_string(kMostTokens) + " are read.");
  }
  if (output_mode != "multi_hot" && output_mode != "count" && output_mode != "one_hot") {
    unfit("'output_mode' is " + quoted(output_mode) + ", and \"multi_hot\", \"count\" or \"one_hot\" is read.");
  }
  const Shape& shape = x.value.shape();
  if (!shape.has_rank()) slot_length(x.value, -1);
  const bool is_each = output_mode == "one_hot";
  if (shape.rank() != 2 && !(is_each && shape.rank() == 1)) {
    unfit("it is handed " + shape.text() + ", and takes numbers of categories, " +
          (is_each ? "[N] or [N, L]." : "[N, L]."));
  }
  Value numbers = build.graph.add1(ops::RowNumbers{.count = num_tokens}, {x.value});
  if (is_each && shape.rank() == 2 && shape[1] == Dim(1)) numbers = ops::squeeze(numbers, {1});
  std::vector<int64_t> tokens(static_cast<size_t>(num_tokens));
  std::iota(tokens.begin(), tokens.end(), int64_t{0});
  const Value all = build.graph.constant(Tensor::of<int64_t>({num_tokens}, tokens), "tokens");
  const Value is_there = ops::cast(ops::equal(ops::unsqueeze(numbers, {-1}), all), DType::Float32);
  if (is_each) return {is_there};
  return {output_mode == "count" ? ops::reduce_sum(is_there, {1}) : ops::reduce_max(is_there, {1})};
}

Flow Discretization::build(LayerBuild& build, const Flow& x) const {
  if (output_mode != "int") unfit("'output_mode' is " + quoted(output_mode) + ", and \"int\" is read.");
  if (bin_boundaries.empty()) unfit("'bin_boundaries' holds no number.");
  for (size_t i = 0; i < bin_boundaries.size(); ++i) {
    if (!std::isfinite(bin_boundaries[i]) || (i > 0 && !(bin_boundaries[i - 1] < bin_boundaries[i]))) {
      unfit("'bin_boundaries' holds " + text_of(bin_boundaries[i]) +
            ", and finite numbers are read, each above the last.");
    }
  }
  if (x.value.dtype() == DType::Bool) unfit("it is handed truths, and numbers are put into bins.");
  const auto count = static_cast<int64_t>(bin_boundaries.size());
  const Value bounds = build.graph.constant(Tensor::of<float>({count}, bin_boundaries), "boundaries");
  const Value below = ops::less(ops::unsqueeze(ops::cast(x.value, DType::Float32), {-1}), bounds);
  return {ops::reduce_sum(ops::cast(ops::logical_not(below), DType::Int32), {-1})};
}

}  // namespace causeway::nn
