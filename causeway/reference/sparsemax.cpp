#include <algorithm>
#include <functional>
#include <vector>

#include "causeway/reference/kernels.h"
#include "causeway/reference/line.h"
#include "causeway/reference/number.h"

namespace causeway::reference {
namespace {

/// t such that the sum of max(x - t, 0) is 1: with the k largest of x kept, (their sum - 1) / k, for the most k whose
/// smallest is still above it.
double threshold(std::vector<double>& numbers) {
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  double total = 0, found = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    total += numbers[i];
    const double t = (total - 1) / static_cast<double>(i + 1);
    if (numbers[i] <= t) break;
    found = t;
  }
  return found;
}

}  // namespace

void sparsemax(const ops::Sparsemax& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &y = outputs[0];
  const Lines lines(x.lengths, axis_in(op.axis, x.lengths.size()));
  std::vector<double> numbers(static_cast<size_t>(lines.length));
  with_floating(x.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t line = 0; line < lines.count(); ++line) {
      const T* from = read<T>(x) + lines.start(line);
      T* to = write<T>(y) + lines.start(line);
      for (int64_t i = 0; i < lines.length; ++i) numbers[static_cast<size_t>(i)] = wide(from[i * lines.stride]);
      const double t = threshold(numbers);
      for (int64_t i = 0; i < lines.length; ++i) {
        to[i * lines.stride] = narrow<T>(std::max(wide(from[i * lines.stride]) - t, 0.0));
      }
    }
  });
}

}  // namespace causeway::reference
