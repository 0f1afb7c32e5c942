#include <algorithm>
#include <cstring>

#include "causeway/base/philox.h"
#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"

// What computes nothing, or makes its numbers itself: copies, lengths, ranges, one number everywhere, draws.

namespace causeway::reference {

void copy_elements(Views inputs, Views outputs) {
  const size_t size_bytes = static_cast<size_t>(outputs[0].size()) * size_of(outputs[0].dtype);
  if (size_bytes > 0) std::memcpy(outputs[0].data, inputs[0].data, size_bytes);
}

/// As many of the lengths as y has places, from the start.
void shape_of(const ops::ShapeOf& op, Views inputs, Views outputs) {
  const std::span<const int64_t> lengths = inputs[0].lengths;
  const int64_t rank = static_cast<int64_t>(lengths.size());
  const int64_t start = std::clamp(op.start < 0 ? op.start + rank : op.start, int64_t{0}, rank);
  std::copy_n(lengths.begin() + start, outputs[0].size(), write<int64_t>(outputs[0]));
}

void range(const ops::Range&, Views inputs, Views outputs) {
  with_number(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const Wide<T> start = wide(*read<T>(inputs[0])), delta = wide(*read<T>(inputs[2]));
    for (int64_t i = 0, count = outputs[0].size(); i < count; ++i) {
      write<T>(outputs[0])[i] = narrow<T>(Totals<T>::sum(start, Totals<T>::product(static_cast<Wide<T>>(i), delta)));
    }
  });
}

void constant_of_shape(const ops::ConstantOfShape& op, Views, Views outputs) {
  with_any(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    std::fill_n(write<T>(outputs[0]), outputs[0].size(), narrow<T>(clamped<Wide<T>>(op.value)));
  });
}

namespace {

template <class RandomOp, class Draw>
void draw_all(const RandomOp& op, Views inputs, const TensorView& y, Draw draw) {
  const Draws draws(static_cast<uint64_t>(*read<int64_t>(inputs[0])), op.purpose,
                    static_cast<uint64_t>(*read<int64_t>(inputs[1])));
  for (int64_t i = 0, count = y.size(); i < count; ++i) write<float>(y)[i] = draw(draws, static_cast<uint64_t>(i));
}

}  // namespace

void random_uniform(const ops::RandomUniform& op, Views inputs, Views outputs) {
  draw_all(op, inputs, outputs[0], [](const Draws& draws, uint64_t i) { return draws.uniform(i); });
}

void random_normal(const ops::RandomNormal& op, Views inputs, Views outputs) {
  draw_all(op, inputs, outputs[0], [](const Draws& draws, uint64_t i) { return static_cast<float>(draws.normal(i)); });
}

}  // namespace causeway::reference
