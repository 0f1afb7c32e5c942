#include <algorithm>
#include <cmath>

#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/walk.h"

namespace causeway::reference {
namespace {

/// A tensor as rows over some axes that are normalized together: the other axes count the rows.
struct Rows {
  PerAxis lengths, strides, row_lengths, row_strides;

  Rows(std::span<const int64_t> all, const std::vector<int64_t>& axes) {
    const PerAxis all_strides = strides_of(all);
    for (size_t axis = 0; axis < all.size(); ++axis) {
      const bool normalized =
          std::any_of(axes.begin(), axes.end(), [&](int64_t stated) { return axis_in(stated, all.size()) == axis; });
      (normalized ? lengths : row_lengths).push(all[axis]);
      (normalized ? strides : row_strides).push(all_strides[axis]);
    }
  }

  Walk<1> rows() const { return {row_lengths, {row_strides}}; }
  /// Element by element along a row, which starts at an offset.
  Walk<1> along(int64_t start) const { return {lengths, {strides}, {start}}; }
  double length() const { return static_cast<double>(lengths.product()); }
};

struct Spread {
  double mean = 0, deviation = 1;
};

/// Of one row; by the root mean square nothing is taken away.
template <class T, class S>
Spread spread_of(const S& op, const Rows& rows, const T* x, int64_t start) {
  Spread found;
  if (!op.rms) {
    for (Walk<1> at = rows.along(start); at; ++at) found.mean += wide(x[at[0]]);
    found.mean /= rows.length();
  }
  double variance = 0;
  for (Walk<1> at = rows.along(start); at; ++at) {
    variance += (wide(x[at[0]]) - found.mean) * (wide(x[at[0]]) - found.mean);
  }
  found.deviation = std::sqrt(variance / rows.length() + op.epsilon);
  return found;
}

/// Operand `i`, or none where it is absent.
template <class T>
const T* operand(Views inputs, size_t i) {
  return i < inputs.size() ? read<T>(inputs[i]) : nullptr;
}

}  // namespace

void layer_norm(const ops::LayerNorm& op, Views inputs, Views outputs) {
  const Rows rows(inputs[0].lengths, op.axes);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *x = operand<T>(inputs, 0), *weight = operand<T>(inputs, 1), *bias = operand<T>(inputs, 2);
    for (Walk<1> row = rows.rows(); row; ++row) {
      const Spread spread = spread_of(op, rows, x, row[0]);
      for (Walk<1> at = rows.along(row[0]); at; ++at) {
        double y = (wide(x[at[0]]) - spread.mean) / spread.deviation;
        if (weight) y *= wide(weight[at.count()]);
        if (bias) y += wide(bias[at.count()]);
        write<T>(outputs[0])[at[0]] = narrow<T>(y);
      }
    }
  });
}

void layer_norm_gradient(const ops::LayerNormGradient& op, Views inputs, Views outputs) {
  const Rows rows(inputs[1].lengths, op.axes);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *dy = operand<T>(inputs, 0), *x = operand<T>(inputs, 1), *weight = operand<T>(inputs, 2);
    Totals<T> dweight(rows.lengths.product());
    for (Walk<1> row = rows.rows(); row; ++row) {
      const Spread spread = spread_of(op, rows, x, row[0]);
      const auto normalized = [&](int64_t i) { return (wide(x[i]) - spread.mean) / spread.deviation; };
      const auto weighted = [&](const Walk<1>& at) {
        return wide(dy[at[0]]) * (weight ? wide(weight[at.count()]) : 1);
      };
      double mean = 0, slope = 0;
      for (Walk<1> at = rows.along(row[0]); at; ++at) {
        if (!op.rms) mean += weighted(at) / rows.length();
        slope += weighted(at) * normalized(at[0]) / rows.length();
        dweight.add(at.count(), wide(dy[at[0]]) * normalized(at[0]));
      }
      for (Walk<1> at = rows.along(row[0]); at; ++at) {
        const double dx = (weighted(at) - mean - normalized(at[0]) * slope) / spread.deviation;
        write<T>(outputs[0])[at[0]] = narrow<T>(dx);
      }
    }
    dweight.store(outputs[1]);

    Totals<T> dbias(rows.lengths.product());
    for (Walk<1> row = rows.rows(); row; ++row) {
      for (Walk<1> at = rows.along(row[0]); at; ++at) dbias.add(at.count(), wide(dy[at[0]]));
    }
    dbias.store(outputs[2]);
  });
}

}  // namespace causeway::reference
