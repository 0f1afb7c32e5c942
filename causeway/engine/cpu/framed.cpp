#include <algorithm>
#include <cstring>

#include "causeway/engine/cpu/by_width.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/engine/cpu/slices.h"
#include "causeway/ops/rules.h"
#include "causeway/tensor/shape.h"

// Ops that put x into a frame of one number, or take a frame off it.

namespace causeway::engine::cpu {
namespace {

// Along an axis of the result: so many places of the frame, then `count` of x from `start` on, then the frame again.
struct Side {
  int64_t length = 0, before = 0, count = 0, from_length = 0, start = 0;

  // Place 0 of x stands at place `offset`, which may be below 0.
  Side(int64_t from, int64_t to, int64_t offset) : length(to), from_length(from) {
    start = std::max<int64_t>(-offset, 0);
    count = std::max<int64_t>(std::min(from, to - offset) - start, 0);
    before = std::min(std::max<int64_t>(offset, 0), to);
  }
  bool is_whole() const { return count == length && count == from_length; }
};

// In pieces along the outermost axis.
class FramedKernel final : public PiecedKernel {
 public:
  FramedKernel(const Draft& draft, const Task& task, std::vector<Side> sides, ValueId value)
      : from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])),
        value_(value == kAbsent ? kAbsent : draft.root(value)),
        bytes_(size_of(draft[task.inputs[0]].dtype)),
        sides_(std::move(sides)) {
    // Whole axes at the end are one block; one axis always stays.
    while (sides_.size() > 1 && sides_.back().is_whole()) {
      block_ *= sides_.back().length;
      sides_.pop_back();
    }
    from_steps_.assign(sides_.size(), block_);
    to_steps_ = from_steps_;
    for (size_t i = sides_.size() - 1; i-- > 0;) {
      from_steps_[i] = from_steps_[i + 1] * sides_[i + 1].from_length;
      to_steps_[i] = to_steps_[i + 1] * sides_[i + 1].length;
    }
    pieces_ = Pieces(static_cast<size_t>(sides_[0].length), static_cast<size_t>(to_steps_[0]));
  }

  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    by_width(bytes_, [&](auto number) { some<decltype(number)>(frame, piece); });
  }

 private:
  template <class T>
  void some(const Frame& frame, size_t piece) const {
    const auto begin = static_cast<int64_t>(pieces_.begin(piece)), end = static_cast<int64_t>(pieces_.end(piece));
    place(frame.of<T>(from_), value_ == kAbsent ? T{0} : *frame.of<T>(value_), frame.to<T>(to_), 0, begin, end);
  }
  // Places begin … end - 1 along an axis of the result, and all of the axes within.
  template <class T>
  void place(const T* from, T value, T* to, size_t axis, int64_t begin, int64_t end) const {
    const Side& side = sides_[axis];
    const int64_t from_step = from_steps_[axis], to_step = to_steps_[axis];
    const int64_t first = std::clamp(side.before, begin, end), last = std::clamp(side.before + side.count, first, end);
    std::fill_n(to + begin * to_step, (first - begin) * to_step, value);
    const int64_t away = side.start - side.before;  // from a place of the result to that of x
    if (axis + 1 == sides_.size()) {
      if (first < last) std::copy_n(from + (first + away) * from_step, (last - first) * block_, to + first * to_step);
    } else {
      const int64_t inner = sides_[axis + 1].length;
      for (int64_t i = first; i < last; ++i) {
        place(from + (i + away) * from_step, value, to + i * to_step, axis + 1, int64_t{0}, inner);
      }
    }
    std::fill_n(to + last * to_step, (end - last) * to_step, value);
  }

  ValueId from_, to_, value_;
  size_t bytes_;
  int64_t block_ = 1;
  std::vector<Side> sides_;
  std::vector<int64_t> from_steps_, to_steps_;
  Pieces pieces_;
};

// Place 0 of x stands at `offsets` in the result.
std::unique_ptr<Kernel> framed(const Draft& draft, const Task& task, const std::vector<int64_t>& offsets,
                               ValueId value = kAbsent) {
  const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  if (x.lengths.empty() || x.size() == 0 || y.size() == 0) return nullptr;
  std::vector<Side> sides;
  for (size_t i = 0; i < x.lengths.size(); ++i) sides.emplace_back(x.lengths[i], y.lengths[i], offsets[i]);
  return std::make_unique<FramedKernel>(draft, task, std::move(sides), value);
}

// What each place of a padded tensor copies.
PlaceMaps copied_places(ops::PadMode mode, const std::vector<int64_t>& lengths, const std::vector<int64_t>& padded,
                        const std::vector<int64_t>& pads) {
  PlaceMaps maps;
  for (size_t axis = 0; axis < padded.size(); ++axis) {
    std::vector<int64_t>& map = maps.emplace_back();
    for (int64_t i = 0; i < padded[axis]; ++i) map.push_back(ops::copied_place(mode, i - pads[axis], lengths[axis]));
  }
  return maps;
}

}  // namespace

std::optional<std::vector<int64_t>> constant_integers(const Draft& draft, ValueId id) {
  const DraftValue& value = draft[draft.root(id)];
  if (value.home != DraftValue::Home::Slot || draft.is_assigned(value.index)) return std::nullopt;
  const Slot& slot = draft.bound.slots.at(draft.slot_paths[value.index]);
  return slot.role == Role::Constant ? ops::integers_of(Type::of(slot.numbers)) : std::nullopt;
}

std::optional<std::vector<ops::SliceRange>> slices_of(const Draft& draft, const Task& task, size_t first,
                                                      const std::vector<int64_t>& lengths) {
  const auto list = [&](size_t i) { return constant_integers(draft, task.inputs[i]); };
  const auto is_there = [&](size_t i) { return i < task.inputs.size() && task.inputs[i] != kAbsent; };
  const std::optional<std::vector<int64_t>> starts = list(first), ends = list(first + 1);
  if (!starts || !ends) return std::nullopt;
  std::vector<ops::SliceRange> slices;
  for (const int64_t length : lengths) slices.push_back({0, 1, length});
  std::optional<std::vector<int64_t>> axes, steps;
  if (is_there(first + 2) && !(axes = list(first + 2))) return std::nullopt;
  if (is_there(first + 3) && !(steps = list(first + 3))) return std::nullopt;
  for (size_t i = 0; i < starts->size(); ++i) {
    const size_t axis = axes ? axis_in((*axes)[i], lengths.size()) : i;
    slices[axis] = ops::slice_range((*starts)[i], (*ends)[i], steps ? (*steps)[i] : 1, lengths[axis]);
  }
  return slices;
}

std::unique_ptr<Kernel> pad(const Draft& draft, const Task& task, const ops::Pad& op) {
  const std::optional<std::vector<int64_t>> pads = constant_integers(draft, task.inputs[1]);
  if (!pads) return nullptr;
  if (op.mode != ops::PadMode::Constant) {
    const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
    return picked_copy(draft, task, copied_places(op.mode, x.lengths, y.lengths, *pads));
  }
  return framed(draft, task, *pads, task.inputs.size() > 2 ? task.inputs[2] : kAbsent);
}

std::unique_ptr<Kernel> pad_gradient(const Draft& draft, const Task& task, const ops::PadGradient& op) {
  std::optional<std::vector<int64_t>> pads = constant_integers(draft, task.inputs[2]);
  if (!pads) return nullptr;
  if (op.mode != ops::PadMode::Constant) {
    const DraftValue &dy = draft[task.inputs[0]], &dx = draft[task.outputs[0]];
    return picked_sums(draft, task, copied_places(op.mode, dx.lengths, dy.lengths, *pads));
  }
  for (int64_t& cells : *pads) cells = -cells;
  return framed(draft, task, *pads);
}

std::unique_ptr<Kernel> slice_gradient(const Draft& draft, const Task& task, const ops::SliceGradient&) {
  const auto slices = slices_of(draft, task, 2, draft[task.outputs[0]].lengths);
  if (!slices) return nullptr;
  if (std::any_of(slices->begin(), slices->end(), [](const ops::SliceRange& range) { return range.step != 1; })) {
    PlaceMaps maps;
    for (const ops::SliceRange& range : *slices) {
      std::vector<int64_t>& map = maps.emplace_back();
      for (int64_t i = 0; i < range.count; ++i) map.push_back(range.start + i * range.step);
    }
    return picked_sums(draft, task, std::move(maps));
  }
  std::vector<int64_t> offsets;
  for (const ops::SliceRange& range : *slices) offsets.push_back(range.start);
  return framed(draft, task, offsets);
}

}  // namespace causeway::engine::cpu
