#include <algorithm>

#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/walk.h"

namespace causeway::reference {
namespace {

/// Calls f(offset in the padded tensor, offset in x or -1) for every element of the padded one.
template <class F>
void each_copy(ops::PadMode mode, std::span<const int64_t> padded, std::span<const int64_t> lengths,
               const TensorView& pads, F f) {
  const PerAxis strides = strides_of(lengths);
  for (Walk<0> at(PerAxis(padded), {}); at; ++at) {
    int64_t offset = 0;
    for (size_t axis = 0; axis < padded.size() && offset >= 0; ++axis) {
      const int64_t before = index_at(pads, static_cast<int64_t>(axis));
      const int64_t place = ops::copied_place(mode, at.at(axis) - before, lengths[axis]);
      offset = place < 0 ? -1 : offset + place * strides[axis];
    }
    f(at.count(), offset);
  }
}

}  // namespace

void pad(const ops::Pad& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &y = outputs[0];
  with_bits(y.dtype, [&]<class T>(std::type_identity<T>) {
    const T value = inputs.size() > 2 && inputs[2].data ? *read<T>(inputs[2]) : T{0};
    each_copy(op.mode, y.lengths, x.lengths, inputs[1],
              [&](int64_t to, int64_t from) { write<T>(y)[to] = from < 0 ? value : read<T>(x)[from]; });
  });
}

void pad_gradient(const ops::PadGradient& op, Views inputs, Views outputs) {
  const TensorView &dy = inputs[0], &dx = outputs[0];
  with_floating(dx.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(dx.size());
    each_copy(op.mode, dy.lengths, dx.lengths, inputs[2], [&](int64_t from, int64_t to) {
      if (to >= 0) totals.add(to, wide(read<T>(dy)[from]));
    });
    totals.store(dx);
  });
}

}  // namespace causeway::reference
