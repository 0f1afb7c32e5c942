#include <cmath>
#include <limits>

#include "causeway/reference/kernels.h"
#include "causeway/reference/line.h"
#include "causeway/reference/number.h"

namespace causeway::reference {
namespace {

/// Calls f(x, largest of its line, Σ e^(x - largest)) for every element.
template <class F>
void along_lines(int64_t axis, const TensorView& x, const TensorView& y, F f) {
  const Lines lines(x.lengths, axis_in(axis, x.lengths.size()));
  with_floating(x.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t line = 0; line < lines.count(); ++line) {
      const T* from = read<T>(x) + lines.start(line);
      T* to = write<T>(y) + lines.start(line);
      double largest = -std::numeric_limits<double>::infinity(), total = 0;
      for (int64_t i = 0; i < lines.length; ++i) {
        const double number = wide(from[i * lines.stride]);
        if (!(number <= largest)) largest = number;
      }
      for (int64_t i = 0; i < lines.length; ++i) total += std::exp(wide(from[i * lines.stride]) - largest);
      for (int64_t i = 0; i < lines.length; ++i) {
        to[i * lines.stride] = narrow<T>(f(wide(from[i * lines.stride]) - largest, total));
      }
    }
  });
}

}  // namespace

void softmax(const ops::Softmax& op, Views inputs, Views outputs) {
  along_lines(op.axis, inputs[0], outputs[0], [](double x, double total) { return std::exp(x) / total; });
}

void log_softmax(const ops::LogSoftmax& op, Views inputs, Views outputs) {
  along_lines(op.axis, inputs[0], outputs[0], [](double x, double total) { return x - std::log(total); });
}

}  // namespace causeway::reference
