#include "causeway/nn/layers/merging.h"

#include "causeway/nn/layers/scaling.h"
#include "causeway/ops/build.h"

namespace causeway::nn {
namespace {

Value merged_values(MergeKind kind, Value a, Value b) {
  switch (kind) {
    case MergeKind::Add:
    case MergeKind::Average:
      return ops::add(a, b);
    case MergeKind::Multiply:
      return ops::mul(a, b);
    case MergeKind::Maximum:
      return ops::max(a, b);
    case MergeKind::Minimum:
      return ops::min(a, b);
    case MergeKind::Subtract:
      return ops::sub(a, b);
  }
  return {};
}

void expect_at_least_two(std::span<const Flow> from) {
  if (from.size() < 2) unfit("it takes two or more values, and " + std::to_string(from.size()) + " is handed to it.");
}

}  // namespace

template <MergeKind kMerge>
Flow Merge<kMerge>::build(LayerBuild&, std::span<const Flow> from) const {
  expect_at_least_two(from);
  if (kMerge == MergeKind::Subtract && from.size() != 2) {
    unfit("it takes two values, and " + std::to_string(from.size()) + " are handed to it.");
  }
  for (const Flow& flow : from) {
    const Shape &first = from[0].value.shape(), &shape = flow.value.shape();
    if (first.has_rank() && shape.has_rank() && first.rank() != shape.rank()) {
      unfit("it is handed " + first.text() + " and " + shape.text() + ", which differ in rank.");
    }
  }
  Value sum = from[0].value;
  for (size_t i = 1; i < from.size(); ++i) sum = merged_values(kMerge, sum, from[i].value);
  if (kMerge == MergeKind::Average) sum = ops::div(sum, ops::number_like(sum, static_cast<double>(from.size())));
  return {sum};
}

template struct Merge<MergeKind::Add>;
template struct Merge<MergeKind::Multiply>;
template struct Merge<MergeKind::Average>;
template struct Merge<MergeKind::Maximum>;
template struct Merge<MergeKind::Minimum>;
template struct Merge<MergeKind::Subtract>;

Flow Concatenate::build(LayerBuild&, std::span<const Flow> from) const {
  expect_at_least_two(from);
  if (from[0].value.shape().has_rank() && axis_in(axis, from[0].value.shape().rank()) == 0) {
    unfit("'axis' is the batch, and values are put side by side along another.");
  }
  Values values;
  for (const Flow& flow : from) values.push_back(flow.value);
  // Side by side, a step stays what it was; end to end, the masks would be too.
  const bool keeps_steps = from[0].value.shape().has_rank() && axis_in(axis, from[0].value.shape().rank()) != 1;
  return {ops::concat(values, axis), keeps_steps ? mask_of_all(from) : Value()};
}

Flow Dot::build(LayerBuild&, std::span<const Flow> from) const {
  if (from.size() != 2) unfit("it takes two values, and is handed " + std::to_string(from.size()) + ".");
  if (axes.size() != 1 && axes.size() != 2) unfit("'axes' is " + text_of(axes) + ", and one axis or a pair is read.");
  Value sides[2];
  bool is_row[2];
  for (size_t i = 0; i < 2; ++i) {
    Value x = from[i].value;
    if (!x.shape().has_rank()) slot_length(x, -1);
    const size_t rank = x.shape().rank();
    if (rank != 2 && rank != 3) unfit("it is handed " + x.shape().text() + ", and takes [N, k] or [N, L, k].");
    const size_t axis = axis_in(axes[axes.size() == 1 ? 0 : i], rank);
    if (axis == 0) unfit("'axes' names the batch, and the products are summed over another.");
    if (normalize) x = unit_of(x, {static_cast<int64_t>(axis)});
    is_row[i] = rank == 2;
    if (is_row[i]) x = ops::unsqueeze(x, {1});
    // What is summed over stands last.
    sides[i] = !is_row[i] && axis == 1 ? ops::transpose(x, {0, 2, 1}) : x;
  }
  const Value y = ops::matmul(sides[0], sides[1], false, true);  // [N, a, b]
  if (is_row[0] == is_row[1]) return {is_row[0] ? ops::squeeze(y, {1}) : y};
  return {ops::squeeze(y, {is_row[0] ? 1 : 2})};
}

}  // namespace causeway::nn
