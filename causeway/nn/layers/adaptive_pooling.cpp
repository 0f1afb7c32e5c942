#include "causeway/nn/layers/adaptive_pooling.h"

#include <numeric>

#include "causeway/nn/layers/pooling.h"
#include "causeway/nn/window_words.h"
#include "causeway/ops/build.h"

namespace causeway::nn {
namespace {

constexpr int64_t kMostShares = int64_t{1} << 22;

struct Bin {
  int64_t begin, end;
};

std::vector<Bin> bins_of(int64_t length, int64_t count) {
  std::vector<Bin> bins;
  for (int64_t i = 0; i < count; ++i) bins.push_back({i * length / count, ((i + 1) * length + count - 1) / count});
  return bins;
}

// The places of each axis and the bins made of them; unfit() where one is open.
struct Bins {
  std::vector<int64_t> lengths, counts;
  bool divide = true;
};

Bins read_bins(const Value& x, const PerAxis& output_size, size_t axes) {
  expect_places(x, axes);
  Bins bins{{}, output_size.over(axes, "output_size")};
  for (size_t axis = 0; axis < axes; ++axis) {
    bins.lengths.push_back(slot_length(x, static_cast<int64_t>(axis) + 1));
    if (bins.counts[axis] < 1)
      unfit("'output_size' is " + std::to_string(bins.counts[axis]) + ", and at least 1 is made.");
    if (bins.lengths[axis] < 1) unfit("it is handed " + x.shape().text() + ", which has no place to pool.");
    if (bins.counts[axis] > kMostShares / bins.lengths[axis]) {
      unfit("'output_size' is " + std::to_string(bins.counts[axis]) + ", which takes more shares than are read.");
    }
    bins.divide = bins.divide && bins.lengths[axis] % bins.counts[axis] == 0;
  }
  return bins;
}

PerAxis window_of(const Bins& bins) {
  std::vector<int64_t> size;
  for (size_t axis = 0; axis < bins.lengths.size(); ++axis) size.push_back(bins.lengths[axis] / bins.counts[axis]);
  return size;
}

}  // namespace

template <size_t kAxes>
Flow AdaptiveMaxPooling<kAxes>::build(LayerBuild& build, const Flow& x) const {
  const Bins bins = read_bins(x.value, output_size, kAxes);
  if (bins.divide) return MaxPooling<kAxes>{.pool_size = window_of(bins)}.build(build, x);
  Value y = x.value;
  for (size_t i = 0; i < kAxes; ++i) {
    if (bins.lengths[i] == bins.counts[i]) continue;
    const auto axis = static_cast<int64_t>(i) + 1;
    // Of more bins than places many are the same: each is made once, and then taken as often as it stands there.
    Values parts;
    std::vector<int64_t> which;
    Bin last{-1, -1};
    for (const Bin& bin : bins_of(bins.lengths[i], bins.counts[i])) {
      if (bin.begin != last.begin || bin.end != last.end) {
        parts.push_back(ops::reduce_max(ops::slice(y, axis, bin.begin, bin.end), {axis}, true));
      }
      which.push_back(static_cast<int64_t>(parts.size()) - 1);
      last = bin;
    }
    const bool is_each_once = parts.size() == which.size();
    y = parts.size() == 1 ? parts[0] : ops::concat(std::move(parts), axis);
    if (!is_each_once) y = ops::gather(y, ops::integers(build.graph, which), axis);
  }
  return {y};
}

// An axis at a time: the mean over a block of bins is the mean of means. A product by the shares of each place.
template <size_t kAxes>
Flow AdaptiveAveragePooling<kAxes>::build(LayerBuild& build, const Flow& x) const {
  const Bins bins = read_bins(x.value, output_size, kAxes);
  if (bins.divide) return AveragePooling<kAxes>{.pool_size = window_of(bins)}.build(build, x);
  Value y = x.value;
  for (size_t i = 0; i < kAxes; ++i) {
    if (bins.lengths[i] == bins.counts[i]) continue;
    Tensor shares(DType::Float32, {bins.counts[i], bins.lengths[i]});
    const std::span<float> into = shares.mutable_values<float>();
    const std::vector<Bin> all = bins_of(bins.lengths[i], bins.counts[i]);
    for (size_t bin = 0; bin < all.size(); ++bin) {
      for (int64_t place = all[bin].begin; place < all[bin].end; ++place) {
        into[bin * static_cast<size_t>(bins.lengths[i]) + static_cast<size_t>(place)] =
            1.0f / static_cast<float>(all[bin].end - all[bin].begin);
      }
    }
    // [n, L] · [N, …, L, C]: the axis stands last but one.
    std::vector<size_t> order(y.shape().rank());
    std::iota(order.begin(), order.end(), size_t{0});
    std::swap(order[i + 1], order[order.size() - 2]);
    const bool is_there = i + 1 == order.size() - 2;
    const Value last = is_there ? y : ops::transpose(y, order);
    const Value pooled = ops::matmul(build.graph.constant(shares, "shares_" + std::to_string(i)), last);
    y = is_there ? pooled : ops::transpose(pooled, order);
  }
  return {y};
}

template struct AdaptiveMaxPooling<1>;
template struct AdaptiveMaxPooling<2>;
template struct AdaptiveMaxPooling<3>;
template struct AdaptiveAveragePooling<1>;
template struct AdaptiveAveragePooling<2>;
template struct AdaptiveAveragePooling<3>;

}  // namespace causeway::nn
