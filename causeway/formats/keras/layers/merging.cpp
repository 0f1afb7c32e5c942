#include "causeway/nn/layers/merging.h"

#include <algorithm>

#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

// A mask of steps beside the channels of what it is of: [N, L] becomes [N, L, 1 …].
Value beside_channels(const Value& mask, const Value& x) {
  std::vector<int64_t> axes;
  for (size_t axis = mask.shape().rank(); axis < x.shape().rank(); ++axis) axes.push_back(static_cast<int64_t>(axis));
  return ops::unsqueeze(mask, axes);
}

// Values of fewer axes get lengths of 1 behind the batch.
Flows of_one_rank(LayerReader& layer) {
  Flows all = layer.inputs(2);
  size_t rank = 0;
  bool differ = false, is_masked = false;
  for (const Flow& flow : all) {
    differ = differ || (rank > 0 && flow.value.shape().rank() != rank);
    rank = std::max(rank, flow.value.shape().rank());
    is_masked = is_masked || flow.mask;
  }
  if (differ && is_masked) unfit("it is called on values of other ranks, one of them with a mask.");
  for (Flow& flow : all) {
    const std::vector<int64_t> axes(rank - flow.value.shape().rank(), 1);
    for (const int64_t axis : axes) flow.value = ops::unsqueeze(flow.value, {axis});
  }
  return all;
}

template <nn::MergeKind kMerge>
Flow read_merge(LayerReader& layer) {
  return layer.build(nn::Merge<kMerge>{}, of_one_rank(layer));
}

// The largest or the least has no number that changes nothing: where one of two is masked, Keras takes the other.
template <nn::MergeKind kMerge>
Flow read_extreme(LayerReader& layer) {
  const Flows all = of_one_rank(layer);
  Flow y = all[0];
  for (size_t i = 1; i < all.size(); ++i) {
    Flow x = all[i];
    if (x.mask) x.value = ops::where(beside_channels(x.mask, x.value), x.value, y.value);
    if (y.mask) y.value = ops::where(beside_channels(y.mask, y.value), y.value, x.value);
    y = layer.build(nn::Merge<kMerge>{}, {y, x});
  }
  return y;
}

}  // namespace

Flow read_add(LayerReader& layer) { return read_merge<nn::MergeKind::Add>(layer); }
Flow read_subtract(LayerReader& layer) { return read_merge<nn::MergeKind::Subtract>(layer); }
Flow read_average(LayerReader& layer) { return read_merge<nn::MergeKind::Average>(layer); }
Flow read_maximum(LayerReader& layer) { return read_extreme<nn::MergeKind::Maximum>(layer); }
Flow read_minimum(LayerReader& layer) { return read_extreme<nn::MergeKind::Minimum>(layer); }

// Keras counts a masked step of an input as 1, and writes 0 where the result is masked.
Flow read_multiply(LayerReader& layer) {
  Flows counted = of_one_rank(layer);
  for (Flow& flow : counted) {
    if (flow.mask) flow.value = ops::where(beside_channels(flow.mask, flow.value), flow.value, 1.0);
  }
  Flow y = layer.build(nn::Merge<nn::MergeKind::Multiply>{}, counted);
  if (y.mask) y.value = ops::where(beside_channels(y.mask, y.value), y.value, 0.0);
  return y;
}

// End to end, masks are joined likewise; all steps of an input without one count.
Flow read_concatenate(LayerReader& layer) {
  const int64_t axis = layer.words().integer("axis", -1, -32);
  const Flows& all = layer.inputs(2);
  Flow y = layer.build(nn::Concatenate{axis}, all);
  bool is_masked = false;
  for (const Flow& flow : all) is_masked = is_masked || flow.mask;
  if (!is_masked || axis_in(axis, y.value.shape().rank()) != 1) return y;
  Values masks;
  for (const Flow& flow : all) {
    if (flow.mask) {
      masks.push_back(flow.mask);
      continue;
    }
    const Value steps = ops::slice(ops::shape_of(flow.value), 0, 0, 2);
    masks.push_back(ops::expand(ops::cast(layer.graph().scalar(1.0f), DType::Bool), steps));
  }
  y.mask = ops::concat(masks, 1);
  return y;
}

Flow read_dot(LayerReader& layer) {
  Words& words = layer.words();
  if (!words.has("axes")) layer.refuse("'axes' is missing.");
  nn::Dot dot;
  dot.axes = words.integers("axes", {-1});
  dot.normalize = words.boolean("normalize", false);
  return layer.build(dot, layer.inputs(2));
}

}  // namespace causeway::formats::keras
