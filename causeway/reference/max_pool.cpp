#include <cmath>

#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/windows.h"

namespace causeway::reference {
namespace {

/// Calls f(offset of the first largest cell in x, offset in y) for every window. A NaN is the largest.
template <class T, class S, class F>
void each_largest(const S& op, const TensorView& x_view, const TensorView& y_view, F f) {
  const Image x(x_view.lengths, op.layout), y(y_view.lengths, op.layout);
  const Windows windows(op.window, x);
  const T* numbers = read<T>(x_view);
  const auto wins = [&](int64_t cell, int64_t largest) {
    return wide(numbers[cell]) > wide(numbers[largest]) ||
           (std::isnan(wide(numbers[cell])) && !std::isnan(wide(numbers[largest])));
  };
  for (int64_t row = 0; row < x.rows; ++row) {
    each_place(y.lengths, [&](const Place& place) {
      for (int64_t channel = 0; channel < x.channels; ++channel) {
        const int64_t start = row * x.row_stride + channel * x.channel_stride;
        int64_t largest = -1;
        windows.each_cell(place, [&](const Place& cell, const Place&) {
          const int64_t at = start + offset_of(cell, x.strides);
          if (largest < 0 || wins(at, largest)) largest = at;
        });
        f(largest, row * y.row_stride + channel * y.channel_stride + offset_of(place, y.strides));
      }
    });
  }
}

}  // namespace

void max_pool(const ops::MaxPool& op, Views inputs, Views outputs) {
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    each_largest<T>(op, inputs[0], outputs[0],
                    [&](int64_t in, int64_t out) { write<T>(outputs[0])[out] = read<T>(inputs[0])[in]; });
  });
}

void max_pool_gradient(const ops::MaxPoolGradient& op, Views inputs, Views outputs) {
  const TensorView &dy = inputs[0], &x = inputs[1];
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(outputs[0].size());
    each_largest<T>(op, x, dy, [&](int64_t in, int64_t out) { totals.add(in, wide(read<T>(dy)[out])); });
    totals.store(outputs[0]);
  });
}

}  // namespace causeway::reference
