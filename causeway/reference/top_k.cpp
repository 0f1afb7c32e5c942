#include <algorithm>
#include <cmath>
#include <vector>

#include "causeway/reference/kernels.h"
#include "causeway/reference/line.h"
#include "causeway/reference/number.h"

namespace causeway::reference {

/// NaN stands before every number, as the largest in NumPy and behind none among the smallest.
void top_k(const ops::TopK& op, Views inputs, Views outputs) {
  const TensorView& x = inputs[0];
  const size_t axis = axis_in(op.axis, x.lengths.size());
  const Lines from(x.lengths, axis), to(outputs[0].lengths, axis);
  int64_t* places = write<int64_t>(outputs[1]);
  with_any(x.dtype, [&]<class T>(std::type_identity<T>) {
    std::vector<int64_t> order(static_cast<size_t>(from.length));
    for (int64_t line = 0; line < to.count(); ++line) {
      const T* numbers = read<T>(x) + from.start(line);
      for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
      const auto first = [&](int64_t a, int64_t b) {
        const Wide<T> left = wide(numbers[a * from.stride]), right = wide(numbers[b * from.stride]);
        if constexpr (Floating<T>) {
          if (std::isnan(left) != std::isnan(right)) return std::isnan(left) == op.largest;
          if (std::isnan(left)) return a < b;
        }
        if (left != right) return op.largest ? left > right : left < right;
        return a < b;
      };
      std::partial_sort(order.begin(), order.begin() + to.length, order.end(), first);
      for (int64_t i = 0; i < to.length; ++i) {
        const int64_t place = order[static_cast<size_t>(i)];
        write<T>(outputs[0])[to.start(line) + i * to.stride] = numbers[place * from.stride];
        places[to.start(line) + i * to.stride] = place;
      }
    }
  });
}

}  // namespace causeway::reference
