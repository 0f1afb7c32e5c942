#include <algorithm>

#include "causeway/reference/kernels.h"
#include "causeway/reference/number.h"
#include "causeway/reference/walk.h"

namespace causeway::reference {
namespace {

/// Where a slice of a tensor of `lengths` begins, and its strides in that tensor. The operands are starts, ends, axes and
/// steps; how far it goes its own lengths say.
struct Cut {
  int64_t start = 0;
  PerAxis strides;

  Cut(std::span<const int64_t> lengths, Views operands) : strides(strides_of(lengths)) {
    const TensorView& starts = operands[0];
    const TensorView absent;
    const TensorView& axes = operands.size() > 2 ? operands[2] : absent;
    const TensorView& steps = operands.size() > 3 ? operands[3] : absent;
    for (int64_t i = 0, count = starts.size(); i < count; ++i) {
      const size_t axis = axes.data ? axis_in(index_at(axes, i), lengths.size()) : static_cast<size_t>(i);
      const int64_t step = steps.data ? index_at(steps, i) : 1;
      const int64_t length = lengths[axis];
      int64_t from = index_at(starts, i);
      if (from < 0) from += length;
      // A cut that begins outside takes nothing, or begins at the nearest end when it runs inwards.
      from = std::clamp(from, int64_t{0}, std::max(int64_t{0}, step > 0 ? length : length - 1));
      start += from * strides[axis];
      strides[axis] *= step;
    }
  }
};

}  // namespace

void slice(const ops::Slice&, Views inputs, Views outputs) {
  const Cut cut(inputs[0].lengths, inputs.subspan(1));
  const TensorView& y = outputs[0];
  with_bits(y.dtype, [&]<class T>(std::type_identity<T>) {
    for (Walk<1> at(PerAxis(y.lengths), {cut.strides}, {cut.start}); at; ++at) {
      write<T>(y)[at.count()] = read<T>(inputs[0])[at[0]];
    }
  });
}

void slice_gradient(const ops::SliceGradient&, Views inputs, Views outputs) {
  const TensorView &dy = inputs[0], &dx = outputs[0];
  const Cut cut(dx.lengths, inputs.subspan(2));
  with_bits(dx.dtype, [&]<class T>(std::type_identity<T>) {
    std::fill_n(write<T>(dx), dx.size(), T{0});
    for (Walk<1> at(PerAxis(dy.lengths), {cut.strides}, {cut.start}); at; ++at) {
      write<T>(dx)[at[0]] = read<T>(dy)[at.count()];
    }
  });
}

}  // namespace causeway::reference
