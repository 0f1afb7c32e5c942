#include <algorithm>
#include <cmath>
#include <limits>

#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"
#include "causeway/reference/walk.h"

namespace causeway::reference {
namespace {

/// Strides of y along the axes of x: 0 along an axis that is taken together.
PerAxis total_strides(const ops::Reduce& op, const TensorView& x) {
  PerAxis strides(x.lengths.size());
  const auto is_reduced = [&](size_t axis) {
    return op.axes.empty() || std::any_of(op.axes.begin(), op.axes.end(),
                                          [&](int64_t stated) { return axis_in(stated, x.lengths.size()) == axis; });
  };
  int64_t stride = 1;
  for (size_t axis = x.lengths.size(); axis-- > 0;) {
    if (is_reduced(axis)) continue;
    strides[axis] = stride;
    stride *= x.lengths[axis];
  }
  return strides;
}

template <class W>
bool is_nan(W number) {
  if constexpr (std::same_as<W, double>) return std::isnan(number);
  return false;
}

template <class T>
Wide<T> least() {
  if constexpr (Floating<T>) {
    return -std::numeric_limits<double>::infinity();
  } else {
    return std::numeric_limits<T>::min();
  }
}
template <class T>
Wide<T> most() {
  if constexpr (Floating<T>) {
    return std::numeric_limits<double>::infinity();
  } else {
    return std::numeric_limits<T>::max();
  }
}

/// Takes every element of x into its total by `join`.
template <class T, class F>
void take_together(const ops::Reduce& op, const TensorView& x, Totals<T>& totals, F join) {
  for (Walk<1> at(PerAxis(x.lengths), {total_strides(op, x)}); at; ++at) {
    Wide<T>& total = totals[at[0]];
    total = join(total, wide(read<T>(x)[at.count()]));
  }
}

/// Stable: the largest of each total is found first.
template <class T>
void log_sum_exp(const ops::Reduce& op, const TensorView& x, const TensorView& y) {
  T* largest = write<T>(y);
  {
    Totals<T> totals(y.size(), least<T>());
    take_together(op, x, totals, [](auto a, auto b) { return is_nan(a) || b <= a ? a : b; });
    totals.store(y);
  }
  Totals<T> totals(y.size());
  for (Walk<1> at(PerAxis(x.lengths), {total_strides(op, x)}); at; ++at) {
    const double shift = wide(largest[at[0]]), number = wide(read<T>(x)[at.count()]);
    totals.add(at[0], std::isinf(shift) ? std::exp(number) : std::exp(number - shift));
  }
  for (int64_t i = 0; i < y.size(); ++i) {
    const double shift = wide(largest[i]);
    totals[i] = std::isinf(shift) ? std::log(totals[i]) : shift + std::log(totals[i]);
  }
  totals.store(y);
}

}  // namespace

void reduce(const ops::Reduce& op, Views inputs, Views outputs) {
  const TensorView& x = inputs[0];
  const TensorView& y = outputs[0];
  const int64_t terms = y.size() == 0 ? 0 : x.size() / y.size();
  with_any(x.dtype, [&]<class T>(std::type_identity<T>) {
    switch (op.kind) {
      case ops::ReduceKind::Sum:
      case ops::ReduceKind::Mean: {
        Totals<T> totals(y.size());
        take_together(op, x, totals, Totals<T>::sum);
        if constexpr (Floating<T>) {
          for (int64_t i = 0; op.kind == ops::ReduceKind::Mean && i < y.size(); ++i) {
            totals[i] /= static_cast<double>(terms);
          }
        }
        return totals.store(y);
      }
      case ops::ReduceKind::Max: {
        Totals<T> totals(y.size(), least<T>());
        take_together(op, x, totals, [](auto a, auto b) { return is_nan(a) || b <= a ? a : b; });
        return totals.store(y);
      }
      case ops::ReduceKind::Min: {
        Totals<T> totals(y.size(), most<T>());
        take_together(op, x, totals, [](auto a, auto b) { return is_nan(a) || b >= a ? a : b; });
        return totals.store(y);
      }
      case ops::ReduceKind::Prod: {
        Totals<T> totals(y.size(), 1);
        take_together(op, x, totals, Totals<T>::product);
        return totals.store(y);
      }
      case ops::ReduceKind::LogSumExp:
        if constexpr (Floating<T>) return log_sum_exp<T>(op, x, y);
    }
  });
}

void sum_to(const ops::SumTo&, Views inputs, Views outputs) {
  const TensorView& x = inputs[0];
  const TensorView& y = outputs[0];
  with_number(x.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(y.size());
    for (Walk<1> at(PerAxis(x.lengths), {broadcast_strides(y.lengths, x.lengths)}); at; ++at) {
      totals.add(at[0], wide(read<T>(x)[at.count()]));
    }
    totals.store(y);
  });
}

void sum_squares(const ops::SumSquares&, Views inputs, Views outputs) {
  const float* x = read<float>(inputs[0]);
  double total = 0;
  for (int64_t i = 0, count = inputs[0].size(); i < count; ++i) total += static_cast<double>(x[i]) * x[i];
  *write<double>(outputs[0]) = total;
}

}  // namespace causeway::reference
