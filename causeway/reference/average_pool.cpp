#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/windows.h"

namespace causeway::reference {
namespace {

/// Calls f(offset in x, offset in y, divisor) for every real cell of every window.
template <class S, class F>
void each_share(const S& op, const TensorView& x_view, const TensorView& y_view, F f) {
  const Image x(x_view.lengths, op.layout), y(y_view.lengths, op.layout);
  const Windows windows(op.window, x);
  for (int64_t row = 0; row < x.rows; ++row) {
    each_place(y.lengths, [&](const Place& place) {
      const double divisor = static_cast<double>(windows.count_cells(place, op.count_include_pad));
      windows.each_cell(place, [&](const Place& cell, const Place&) {
        const int64_t in = row * x.row_stride + offset_of(cell, x.strides);
        const int64_t out = row * y.row_stride + offset_of(place, y.strides);
        for (int64_t channel = 0; channel < x.channels; ++channel) {
          f(in + channel * x.channel_stride, out + channel * y.channel_stride, divisor);
        }
      });
    });
  }
}

}  // namespace

void average_pool(const ops::AveragePool& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &y = outputs[0];
  with_floating(y.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(y.size());
    each_share(op, x, y,
               [&](int64_t in, int64_t out, double divisor) { totals.add(out, wide(read<T>(x)[in]) / divisor); });
    totals.store(y);
  });
}

void average_pool_gradient(const ops::AveragePoolGradient& op, Views inputs, Views outputs) {
  const TensorView &dy = inputs[0], &dx = outputs[0];
  with_floating(dx.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(dx.size());
    each_share(op, dx, dy,
               [&](int64_t in, int64_t out, double divisor) { totals.add(in, wide(read<T>(dy)[out]) / divisor); });
    totals.store(dx);
  });
}

}  // namespace causeway::reference
