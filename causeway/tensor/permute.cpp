#include <algorithm>
#include <cstring>

#include "causeway/tensor/tensor.h"

namespace causeway {
namespace {

/// An axis of the result: its length, and how far one step along it leads in what is read and in what is written.
struct Axis {
  int64_t length, from_stride, to_stride;
};

/// The axes of the result, slowest first: those of one element dropped, and those that follow each other in what is
/// read, too, made one.
std::vector<Axis> joined_axes(const Tensor& tensor, std::span<const size_t> order) {
  const std::vector<int64_t> strides = dense_strides(tensor.lengths());
  std::vector<Axis> axes;
  for (const size_t axis : order) {
    const int64_t length = tensor.lengths()[axis];
    if (length == 1) continue;
    if (!axes.empty() && axes.back().from_stride == strides[axis] * length) {
      axes.back() = {axes.back().length * length, strides[axis], 0};
    } else {
      axes.push_back({length, strides[axis], 0});
    }
  }
  int64_t stride = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i].to_stride = stride;
    stride *= axes[i].length;
  }
  return axes;
}

/// Calls `body(from, to)` with both offsets, in elements, at every place of these axes.
template <class Body>
void at_every_place(std::span<const Axis> axes, const Body& body) {
  std::vector<int64_t> place(axes.size(), 0);
  int64_t from = 0, to = 0;
  while (true) {
    body(from, to);
    size_t i = axes.size();
    while (i > 0) {
      const Axis& axis = axes[i - 1];
      from += axis.from_stride;
      to += axis.to_stride;
      if (++place[i - 1] < axis.length) break;
      from -= axis.from_stride * axis.length;
      to -= axis.to_stride * axis.length;
      place[--i] = 0;
    }
    if (i == 0) return;
  }
}

/// `along` is dense in what is read and `across` in what is written. Square tiles go through a small buffer: both sides
/// are touched in dense runs alone, since strides of a power of two would make the lines of a tile push each other out
/// of the cache.
template <class T>
void transpose(const T* from, T* to, const Axis& along, const Axis& across) {
  constexpr int64_t kTile = 32;
  constexpr int64_t kFew = 8;
  if (across.length <= kFew) {  // a few runs, as the channels of a picture, stay in the cache by themselves
    for (int64_t i = 0; i < along.length; ++i) {
      for (int64_t j = 0; j < across.length; ++j) to[i * along.to_stride + j] = from[i + j * across.from_stride];
    }
    return;
  }
  if (along.length <= kFew) {
    for (int64_t j = 0; j < across.length; ++j) {
      for (int64_t i = 0; i < along.length; ++i) to[i * along.to_stride + j] = from[i + j * across.from_stride];
    }
    return;
  }
  T tile[kTile][kTile];
  for (int64_t i0 = 0; i0 < along.length; i0 += kTile) {
    const int64_t height = std::min(kTile, along.length - i0);
    for (int64_t j0 = 0; j0 < across.length; j0 += kTile) {
      const int64_t width = std::min(kTile, across.length - j0);
      for (int64_t j = 0; j < width; ++j) {
        const T* run = from + i0 + (j0 + j) * across.from_stride;
        for (int64_t i = 0; i < height; ++i) tile[i][j] = run[i];
      }
      for (int64_t i = 0; i < height; ++i) {
        T* run = to + (i0 + i) * along.to_stride + j0;
        for (int64_t j = 0; j < width; ++j) run[j] = tile[i][j];
      }
    }
  }
}

template <class T>
void permute(const T* from, T* to, std::vector<Axis> axes) {
  const Axis last = axes.back();
  axes.pop_back();
  if (last.from_stride == 1) {
    const size_t row_bytes = static_cast<size_t>(last.length) * sizeof(T);
    at_every_place(axes, [&](int64_t a, int64_t b) { std::memcpy(to + b, from + a, row_bytes); });
    return;
  }
  const auto dense = std::find_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.from_stride == 1; });
  const Axis along = *dense;
  axes.erase(dense);
  at_every_place(axes, [&](int64_t a, int64_t b) { transpose(from + a, to + b, along, last); });
}

}  // namespace

Tensor Tensor::permuted(std::span<const size_t> order) const {
  CAUSEWAY_CHECK(order.size() == rank(), "a permutation names every axis");
  std::vector<int64_t> lengths(rank());
  std::vector<bool> named(rank(), false);
  for (size_t i = 0; i < order.size(); ++i) {
    CAUSEWAY_CHECK(order[i] < rank() && !named[order[i]], "a permutation names every axis once");
    named[order[i]] = true;
    lengths[i] = lengths_[order[i]];
  }
  std::vector<Axis> axes = joined_axes(*this, order);
  if (size_ == 0 || axes.size() < 2) return reshaped(std::move(lengths));  // no element moves
  Tensor made = uninitialized(dtype_, std::move(lengths));
  void* to = made.mutable_data();
  switch (size_of(dtype_)) {
    case 1:
      permute(static_cast<const uint8_t*>(data_), static_cast<uint8_t*>(to), std::move(axes));
      break;
    case 2:
      permute(static_cast<const uint16_t*>(data_), static_cast<uint16_t*>(to), std::move(axes));
      break;
    case 4:
      permute(static_cast<const uint32_t*>(data_), static_cast<uint32_t*>(to), std::move(axes));
      break;
    default:
      permute(static_cast<const uint64_t*>(data_), static_cast<uint64_t*>(to), std::move(axes));
  }
  return made;
}

}  // namespace causeway
