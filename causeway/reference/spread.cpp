#include "causeway/reference/kernels.h"
#include "causeway/reference/number.h"
#include "causeway/reference/walk.h"

// Expand, Tile and Transpose: elements read in another order, or again and again.

namespace causeway::reference {
namespace {

/// y in its row-major order from x by strides.
void read_by(const PerAxis& lengths, const PerAxis& strides, const TensorView& x, const TensorView& y) {
  with_bits(y.dtype, [&]<class T>(std::type_identity<T>) {
    for (Walk<1> at(lengths, {strides}); at; ++at) write<T>(y)[at.count()] = read<T>(x)[at[0]];
  });
}

}  // namespace

void expand(const ops::Expand&, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &y = outputs[0];
  read_by(PerAxis(y.lengths), broadcast_strides(x.lengths, y.lengths), x, y);
}

/// Each axis is two: the copies, which read the same places, and the places of x.
void tile(const ops::Tile&, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &y = outputs[0];
  const PerAxis x_strides = strides_of(x.lengths);
  PerAxis lengths, strides;
  for (size_t axis = 0; axis < x.lengths.size(); ++axis) {
    lengths.push(x.lengths[axis] == 0 ? 0 : y.lengths[axis] / x.lengths[axis]);
    lengths.push(x.lengths[axis]);
    strides.push(0);
    strides.push(x_strides[axis]);
  }
  read_by(lengths, strides, x, y);
}

void transpose(const ops::Transpose& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &y = outputs[0];
  const PerAxis x_strides = strides_of(x.lengths);
  PerAxis strides;
  for (size_t axis = 0; axis < y.lengths.size(); ++axis) {
    strides.push(x_strides[op.axes.empty() ? y.lengths.size() - 1 - axis : op.axes[axis]]);
  }
  read_by(PerAxis(y.lengths), strides, x, y);
}

}  // namespace causeway::reference
