#include "causeway/ops/slice.h"

#include <algorithm>
#include <limits>
#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// What exporters write for "to the end".
constexpr int64_t kFarEnd = std::numeric_limits<int32_t>::max();

/// Along one axis of a length that is still open: the count, where no clamping can change it for any length that the
/// range fits into.
Dim open_count(const Dim& start, const Dim& end, int64_t step, const Dim& length) {
  if (step == -1 && (start == Dim(-1) || (start.is_number() && start.number() >= kFarEnd)) && end.is_number() &&
      end.number() < -kFarEnd) {
    return length;
  }
  if (step < 1 || !start.is_number() || start.number() < 0) return {};
  if (end == length || (end.is_number() && end.number() >= kFarEnd)) return (length - start + (step - 1)) / step;
  if (end.is_number() && end.number() < 0) return (length + end - start + (step - 1)) / step;
  return {};
}

struct Lists {
  Dim entries;
  std::optional<std::vector<Dim>> starts, ends;
  std::optional<std::vector<int64_t>> axes, steps;
};

/// Lists of one length; `first` is where the starts stand among the inputs.
Lists lists_of(std::span<const Type> inputs, size_t first) {
  Lists lists;
  constexpr std::string_view kNames[] = {"starts", "ends", "axes", "steps"};
  for (size_t i = 0; i < 4; ++i) {
    const Type list = indexing(input_or_unknown(inputs, first + i), kNames[i]);
    lists.entries = same_length(lists.entries, entries_of(list, kNames[i]), "the number of ranges", kNames[i]);
  }
  lists.starts = dims_of(inputs[first]);
  lists.ends = dims_of(inputs[first + 1]);
  if (first + 2 < inputs.size()) lists.axes = integers_of(inputs[first + 2]);
  if (first + 3 < inputs.size()) lists.steps = integers_of(inputs[first + 3]);
  return lists;
}

/// Whether an optional list is there but not known; an absent one has an unknown type without a rank.
bool is_open(std::span<const Type> inputs, size_t i) {
  return i < inputs.size() && inputs[i].dtype != DType::Unknown && !integers_of(inputs[i]);
}

Shape sliced(std::span<const Type> inputs, size_t first, const Shape& x, bool may_be_empty = true) {
  const Lists lists = lists_of(inputs, first);
  if (!x.has_rank()) return {};
  Shape y = x;
  // Which axes are cut is not known: any of them may be.
  if (is_open(inputs, first + 2)) return Shape::of_rank(x.rank());
  const size_t count = lists.entries.is_number() ? static_cast<size_t>(lists.entries.number()) : x.rank();
  std::vector<int64_t> axes;
  if (lists.axes && lists.axes->size() == count) {
    axes = *lists.axes;
  } else {
    for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<int64_t>(i));
  }
  axes_in(axes, x.rank());
  for (size_t i = 0; i < count; ++i) {
    Dim& length = y[axis_in(axes[i], x.rank(), "axes")];
    if (!lists.starts || !lists.ends || is_open(inputs, first + 3)) {
      length = Dim();
      continue;
    }
    const Dim &start = (*lists.starts)[i], &end = (*lists.ends)[i];
    const int64_t step = lists.steps ? (*lists.steps)[i] : 1;
    if (step == 0) unfit("'steps' holds a 0.");
    if (length.is_number() && start.is_number() && end.is_number()) {
      length = slice_range(start.number(), end.number(), step, length.number()).count;
    } else {
      length = open_count(start, end, step, length);
    }
    if (!may_be_empty && length == Dim(0)) {
      unfit("it takes no place of axis " + std::to_string(axis_in(axes[i], x.rank())) + " of " + x.text() + ".");
    }
  }
  return y;
}

/// A list of lengths cut along its one axis.
std::optional<std::vector<Dim>> sliced_dims(std::span<const Type> inputs) {
  const std::optional<std::vector<Dim>> dims = dims_of(inputs[0]);
  const std::optional<std::vector<int64_t>> starts = integers_of(inputs[1]), ends = integers_of(inputs[2]);
  if (!dims || !starts || !ends || starts->size() != 1 || ends->size() != 1 || is_open(inputs, 4)) return std::nullopt;
  const std::optional<std::vector<int64_t>> steps = integers_of(input_or_unknown(inputs, 4));
  const int64_t step = steps && steps->size() == 1 ? steps->front() : 1;
  const SliceRange range = slice_range(starts->front(), ends->front(), step, static_cast<int64_t>(dims->size()));
  std::vector<Dim> kept;
  for (int64_t i = 0; i < range.count; ++i) kept.push_back((*dims)[static_cast<size_t>(range.start + i * range.step)]);
  return kept;
}

}  // namespace

SliceRange slice_range(int64_t start, int64_t end, int64_t step, int64_t length) {
  const bool forward = step > 0;
  const int64_t least = forward ? 0 : -1, most = forward ? length : length - 1;
  const auto clamped = [&](int64_t place) { return std::clamp(place < 0 ? place + length : place, least, most); };
  const int64_t from = clamped(start), to = clamped(end);
  const int64_t room = forward ? to - from : from - to;
  if (room <= 0) return {from, step, 0};
  // The step's size without its sign, which the least int64 has none of.
  const uint64_t size = forward ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return {from, step, static_cast<int64_t>((static_cast<uint64_t>(room) - 1) / size) + 1};
}

Types Slice::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3, 5);
  Shape y = sliced(inputs, 1, inputs[0].shape, may_be_empty);
  const bool is_list = y.has_rank() && y.rank() == 1;
  return {integers_type(inputs[0].dtype, std::move(y), is_list ? sliced_dims(inputs) : std::nullopt)};
}

Values Slice::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  Values inputs = {dy[0], shape_of(node.input(0))};
  inputs.insert(inputs.end(), node.inputs.begin() + 1, node.inputs.end());
  Values gradients(node.inputs.size());
  gradients[0] = graph.add1(SliceGradient{}, std::move(inputs));
  return gradients;
}

std::optional<Turned> Slice::turned(const Node& node, const Axes& axes) const {
  std::vector<Axes> inputs(node.inputs.size());
  inputs[0] = axes;
  if (!node.input(3)) return std::nullopt;  // which axes it cuts is told by their order alone
  std::vector<AxisList> lists(4, AxisList::None);
  lists[3] = AxisList::Names;
  return Turned{*this, inputs, {axes}, lists};
}

Types SliceGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 4, 6);
  Type x{floating(inputs[0], "dy").dtype, shape_named_by(inputs[1])};
  const Shape made = sliced(inputs, 2, x.shape);
  if (made.has_rank()) {
    const Shape dy = with_rank(inputs[0], made.rank(), "dy");
    for (size_t axis = 0; axis < made.rank(); ++axis) {
      same_length(dy[axis], made[axis], "a length of dy", "the slice's");
    }
  }
  return {x};
}

Values SliceGradient::gradient(GraphBuilder& graph, const Node& node, const Values& dx) const {
  Values inputs = {dx[0]};
  inputs.insert(inputs.end(), node.inputs.begin() + 2, node.inputs.end());
  Values gradients(node.inputs.size());
  gradients[0] = graph.add1(Slice{}, std::move(inputs));
  return gradients;
}

std::optional<Turned> SliceGradient::turned(const Node& node, const Axes& axes) const {
  std::vector<Axes> inputs(node.inputs.size());
  inputs[0] = axes;
  if (!node.input(4)) return std::nullopt;
  std::vector<AxisList> lists(5, AxisList::None);
  lists[1] = AxisList::PerAxis;
  lists[4] = AxisList::Names;
  return Turned{SliceGradient{}, inputs, {axes}, lists};
}

}  // namespace causeway::ops
