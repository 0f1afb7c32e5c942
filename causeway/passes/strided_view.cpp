#include "causeway/passes/strided_view.h"

#include <algorithm>

#include "causeway/ops/op_list.h"

namespace causeway::passes {
namespace {

StridedView whole(const Value& value) {
  std::vector<int64_t> lengths = value.shape().lengths();
  std::vector<int64_t> strides = dense_strides(lengths);
  return {value, std::move(lengths), std::move(strides)};
}

std::optional<std::vector<int64_t>> integers_of(const Value& list, const Slots& slots) {
  const Tensor* numbers = list ? constant_numbers(list, slots) : nullptr;
  if (!numbers || (numbers->dtype() != DType::Int64 && numbers->dtype() != DType::Int32)) return std::nullopt;
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < numbers->size(); ++i) integers.push_back(numbers->integer_at(i));
  return integers;
}

/// The places from `start` on along an axis, as many as the value has there.
StridedView picked(StridedView view, size_t axis, int64_t start, int64_t step, int64_t count) {
  view.offset += start * view.strides[axis];
  view.strides[axis] *= step;
  view.lengths[axis] = count;
  return view;
}

std::optional<StridedView> gathered(const StridedView& x, const Node& node, const Slots& slots) {
  const Value indices = node.input(1);
  const std::optional<std::vector<int64_t>> at = integers_of(indices, slots);
  if (!at || at->size() != 1 || indices.shape().rank() > 1) return std::nullopt;
  const size_t axis = axis_in(node.op.as<ops::Gather>()->axis, x.lengths.size());
  const int64_t place = (*at)[0] < 0 ? (*at)[0] + x.lengths[axis] : (*at)[0];
  if (place < 0 || place >= x.lengths[axis]) return std::nullopt;
  StridedView y = picked(x, axis, place, 1, 1);
  if (indices.shape().rank() == 0) {
    y.lengths.erase(y.lengths.begin() + static_cast<std::ptrdiff_t>(axis));
    y.strides.erase(y.strides.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  return y;
}

std::optional<StridedView> sliced(StridedView x, const Value& made, const Node& node, const Slots& slots) {
  const auto starts = integers_of(node.input(1), slots);
  if (!starts) return std::nullopt;
  std::vector<int64_t> axes(starts->size()), steps(starts->size(), 1);
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  if (node.input(3)) {
    const auto stated = integers_of(node.input(3), slots);
    if (!stated || stated->size() != axes.size()) return std::nullopt;
    axes = *stated;
  }
  if (node.input(4)) {
    const auto stated = integers_of(node.input(4), slots);
    if (!stated || stated->size() != axes.size()) return std::nullopt;
    steps = *stated;
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = axis_in(axes[i], x.lengths.size());
    const int64_t length = x.lengths[axis];
    if (steps[i] < 1) return std::nullopt;
    int64_t start = (*starts)[i];
    if (start < 0) start += length;
    x = picked(std::move(x), axis, std::clamp<int64_t>(start, 0, length), steps[i], made.shape()[axis].number());
  }
  return x;
}

std::optional<StridedView> split_off(const StridedView& x, const Value& made, const Node& node, const Slots& slots) {
  const auto lengths = integers_of(node.input(1), slots);
  if (!lengths) return std::nullopt;
  const size_t axis = axis_in(node.op.as<ops::Split>()->axis, x.lengths.size());
  int64_t start = 0;
  for (size_t i = 0; i < made.output_index(); ++i) start += (*lengths)[i];
  return picked(x, axis, start, 1, (*lengths)[made.output_index()]);
}

bool keeps_order(const Op& op) {
  return op.is<ops::Reshape>() || op.is<ops::Flatten>() || op.is<ops::Squeeze>() || op.is<ops::Unsqueeze>() ||
         op.is<ops::Identity>();
}

}  // namespace

const Tensor* constant_numbers(const Value& value, const Slots& slots) {
  if (value.kind() != Value::Kind::Slot) return nullptr;
  const Slot* slot = slots.find(value.name());
  return slot && slot->role == Role::Constant ? &slot->numbers : nullptr;
}

StridedView StridedView::permuted(const Axes& axes) const {
  StridedView view{base, {}, {}, offset};
  for (const size_t axis : axes) {
    view.lengths.push_back(lengths[axis]);
    view.strides.push_back(strides[axis]);
  }
  return view;
}

std::optional<StridedView> StridedView::reshaped(std::vector<int64_t> to) const {
  StridedView view{base, to, std::vector<int64_t>(to.size(), 0), offset};
  if (std::find(to.begin(), to.end(), 0) != to.end()) return view;
  // Runs of axes of both that have the same count are laid out by one stride each.
  size_t from_axis = 0, to_axis = 0;
  while (from_axis < lengths.size() || to_axis < to.size()) {
    size_t from_end = from_axis, to_end = to_axis;
    int64_t from_count = 1, to_count = 1;
    do {
      const bool from_has_more = from_end < lengths.size(), to_has_more = to_end < to.size();
      if (!from_has_more && !to_has_more) return std::nullopt;
      if (from_has_more && (from_count <= to_count || !to_has_more)) {
        from_count *= lengths[from_end++];
      } else {
        to_count *= to[to_end++];
      }
    } while (from_count != to_count);
    // The run's axes past those of length 1 must follow each other without a gap.
    int64_t stride = 1, expected = 0;
    for (size_t axis = from_end; axis-- > from_axis;) {
      if (lengths[axis] == 1) continue;
      if (expected == 0) {
        stride = strides[axis];
      } else if (strides[axis] != expected) {
        return std::nullopt;
      }
      expected = strides[axis] * lengths[axis];
    }
    for (size_t axis = to_end; axis-- > to_axis;) {
      view.strides[axis] = stride;
      stride *= to[axis];
    }
    from_axis = from_end, to_axis = to_end;
  }
  return view;
}

StridedView strided_view(const Value& value, const Slots& slots, int depth) {
  const Node* node = value.node();
  if (!node || depth == 0 || !node->input(0) || !node->input(0).shape().has_rank() ||
      !node->input(0).shape().is_bound()) {
    return whole(value);
  }
  const Op& op = node->op;
  const bool moves =
      keeps_order(op) || op.is<ops::Transpose>() || op.is<ops::Gather>() || op.is<ops::Slice>() || op.is<ops::Split>();
  if (!moves) return whole(value);
  StridedView x = strided_view(node->input(0), slots, depth - 1);
  std::optional<StridedView> y;
  if (op.is<ops::Transpose>()) {
    y = x.permuted(op.as<ops::Transpose>()->order(x.lengths.size()));
  } else if (op.is<ops::Gather>()) {
    y = gathered(x, *node, slots);
  } else if (op.is<ops::Slice>()) {
    y = sliced(std::move(x), value, *node, slots);
  } else if (op.is<ops::Split>()) {
    y = split_off(x, value, *node, slots);
  } else {
    y = x.reshaped(value.shape().lengths());
  }
  return y ? *y : whole(value);
}

}  // namespace causeway::passes
