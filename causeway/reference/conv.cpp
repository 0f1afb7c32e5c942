#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/windows.h"

namespace causeway::reference {
namespace {

/// Calls f(offset in x, in the weight, in y) for every product that a convolution adds up. `x` and `y` are its input and
/// output, whichever of the three is being made.
template <class S, class F>
void each_product(const S& op, const TensorView& x_view, const TensorView& weight_view, const TensorView& y_view, F f) {
  const Image x(x_view.lengths, op.layout), y(y_view.lengths, op.layout);
  const Taps weight(weight_view.lengths, op.layout);
  const Windows windows(op.window, x);
  const int64_t out_of_group = weight.out / op.groups;
  for (int64_t row = 0; row < x.rows; ++row) {
    each_place(y.lengths, [&](const Place& place) {
      const int64_t y_start = row * y.row_stride + offset_of(place, y.strides);
      windows.each_cell(place, [&](const Place& cell, const Place& tap) {
        const int64_t x_start = row * x.row_stride + offset_of(cell, x.strides);
        const int64_t weight_start = offset_of(tap, weight.strides);
        for (int64_t group = 0; group < op.groups; ++group) {
          for (int64_t in = 0; in < weight.in; ++in) {
            const int64_t x_at = x_start + (group * weight.in + in) * x.channel_stride;
            const int64_t weight_at = weight_start + in * weight.in_stride;
            for (int64_t out = group * out_of_group; out < (group + 1) * out_of_group; ++out) {
              f(x_at, weight_at + out * weight.out_stride, y_start + out * y.channel_stride);
            }
          }
        }
      });
    });
  }
}

}  // namespace

void conv(const ops::Conv& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &weight = inputs[1], &y = outputs[0];
  with_floating(y.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(y.size());
    if (inputs.size() > 2 && inputs[2].data) {
      const Image image(y.lengths, op.layout);
      for (int64_t i = 0; i < y.size(); ++i) {
        totals[i] = wide(read<T>(inputs[2])[i / image.channel_stride % image.channels]);
      }
    }
    each_product(op, x, weight, y, [&](int64_t in, int64_t tap, int64_t out) {
      totals.add(out, wide(read<T>(x)[in]) * wide(read<T>(weight)[tap]));
    });
    totals.store(y);
  });
}

void conv_input_gradient(const ops::ConvInputGradient& op, Views inputs, Views outputs) {
  const TensorView &dy = inputs[0], &weight = inputs[1], &dx = outputs[0];
  with_floating(dx.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(dx.size());
    each_product(op, dx, weight, dy, [&](int64_t in, int64_t tap, int64_t out) {
      totals.add(in, wide(read<T>(dy)[out]) * wide(read<T>(weight)[tap]));
    });
    totals.store(dx);
  });
}

void conv_weight_gradient(const ops::ConvWeightGradient& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &dy = inputs[1], &dweight = outputs[0];
  with_floating(dweight.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(dweight.size());
    each_product(op, x, dweight, dy, [&](int64_t in, int64_t tap, int64_t out) {
      totals.add(tap, wide(read<T>(x)[in]) * wide(read<T>(dy)[out]));
    });
    totals.store(dweight);
  });
}

}  // namespace causeway::reference
