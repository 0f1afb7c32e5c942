#include <cmath>

#include "causeway/reference/kernels.h"
#include "causeway/reference/line.h"
#include "causeway/reference/number.h"

namespace causeway::reference {

/// The first NaN is the largest, as in NumPy.
void arg_max(const ops::ArgMax& op, Views inputs, Views outputs) {
  const TensorView& x = inputs[0];
  const Lines lines(x.lengths, axis_in(op.axis, x.lengths.size()));
  int64_t* y = write<int64_t>(outputs[0]);
  with_any(x.dtype, [&]<class T>(std::type_identity<T>) {
    const auto wins = [&](Wide<T> number, Wide<T> largest) {
      if constexpr (Floating<T>) {
        if (std::isnan(number) || std::isnan(largest)) return !std::isnan(largest);
      }
      return number > largest || (op.select_last && number == largest);
    };
    for (int64_t line = 0; line < lines.count(); ++line) {
      const T* from = read<T>(x) + lines.start(line);
      int64_t place = 0;
      for (int64_t i = 1; i < lines.length; ++i) {
        if (wins(wide(from[i * lines.stride]), wide(from[place * lines.stride]))) place = i;
      }
      y[line] = place;
    }
  });
}

}  // namespace causeway::reference
