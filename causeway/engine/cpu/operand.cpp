#include "causeway/engine/cpu/operand.h"

#include <algorithm>
#include <numeric>

namespace causeway::engine::cpu {
namespace {

int64_t product(std::span<const int64_t> lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>());
}

// Numbers spread along the leading and trailing axes alone: the axes in between are whole.
bool make_tiled(Operand& operand, std::span<const int64_t> from, std::span<const int64_t> to) {
  size_t first = 0, last = to.size();
  while (first < last && from[first] == 1) ++first;
  while (last > first && from[last - 1] == 1) --last;
  if (!std::equal(from.begin() + static_cast<ptrdiff_t>(first), from.begin() + static_cast<ptrdiff_t>(last),
                  to.begin() + static_cast<ptrdiff_t>(first))) {
    return false;
  }
  operand.read = Operand::Read::Tiled;
  operand.period = product(from);
  operand.inner = product(to.subspan(last));
  return true;
}

template <class T>
void spread_tiled(const Operand& operand, const T* numbers, int64_t start, int64_t count, T* to) {
  int64_t place = start / operand.inner % operand.period, passed = start % operand.inner;
  for (T* const end = to + count; to < end;) {
    if (operand.inner == 1) {
      const int64_t run = std::min<int64_t>(operand.period - place, end - to);
      to = std::copy_n(numbers + place, run, to);
      place = 0;
      continue;
    }
    const int64_t run = std::min<int64_t>(operand.inner - passed, end - to);
    to = std::fill_n(to, run, numbers[place]);
    passed = 0;
    if (++place == operand.period) place = 0;
  }
}

template <class T>
void spread_strided(const Operand& operand, const T* numbers, int64_t start, int64_t count, T* to) {
  const size_t rank = operand.lengths.size();
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = start + i, offset = 0;
    for (size_t axis = rank; axis-- > 0;) {
      offset += left % operand.lengths[axis] * operand.strides[axis];
      left /= operand.lengths[axis];
    }
    to[i] = numbers[offset];
  }
}

template <class T>
void spread_any(const Operand& operand, const T* numbers, int64_t start, int64_t count, T* to) {
  switch (operand.read) {
    case Operand::Read::Whole:
      std::copy_n(numbers + start, count, to);
      return;
    case Operand::Read::One:
      std::fill_n(to, count, numbers[0]);
      return;
    case Operand::Read::Tiled:
      return spread_tiled(operand, numbers, start, count, to);
    case Operand::Read::Strided:
      return spread_strided(operand, numbers, start, count, to);
  }
}

}  // namespace

Operand operand_of(DType dtype, std::span<const int64_t> from, std::span<const int64_t> to) {
  Operand operand{.dtype = dtype};
  const int64_t count = product(from);
  if (count == product(to)) return operand;
  if (count == 1) {
    operand.read = Operand::Read::One;
    return operand;
  }
  std::vector<int64_t> padded(to.size(), 1);
  std::copy(from.begin(), from.end(), padded.end() - static_cast<ptrdiff_t>(from.size()));
  if (make_tiled(operand, padded, to)) return operand;
  operand.read = Operand::Read::Strided;
  operand.lengths.assign(to.begin(), to.end());
  operand.strides.assign(to.size(), 0);
  int64_t stride = 1;
  for (size_t axis = to.size(); axis-- > 0;) {
    if (padded[axis] != 1) operand.strides[axis] = stride;
    stride *= padded[axis];
  }
  return operand;
}

void spread(const Operand& operand, const float* numbers, int64_t start, int64_t count, float* to) {
  spread_any(operand, numbers, start, count, to);
}
void spread(const Operand& operand, const uint8_t* numbers, int64_t start, int64_t count, uint8_t* to) {
  spread_any(operand, numbers, start, count, to);
}

}  // namespace causeway::engine::cpu
