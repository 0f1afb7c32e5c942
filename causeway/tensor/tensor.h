#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "causeway/base/check.h"
#include "causeway/tensor/dtype.h"
#include "causeway/tensor/shape.h"

namespace causeway {

/// Dense numbers in row-major order: a dtype, lengths and bytes. The bytes are owned, or borrowed from a mapped file
/// that lives as long as a tensor over it does. Copies share bytes until one of them is written. Elements of Bool are
/// one byte, 0 or 1. Owned memory is aligned to 64 bytes.
class Tensor {
 public:
  /// A scalar 0 of float32.
  Tensor();
  /// Zeros.
  Tensor(DType dtype, std::vector<int64_t> lengths);
  /// Memory that is written before it is read.
  static Tensor uninitialized(DType dtype, std::vector<int64_t> lengths);
  /// Over bytes of others: `owner` is kept while any copy lives. The bytes are aligned to the element's size.
  static Tensor over(DType dtype, std::vector<int64_t> lengths, const void* bytes, std::shared_ptr<const void> owner);

  template <class T>
  static Tensor of(std::vector<int64_t> lengths, const std::vector<T>& values);
  template <class T>
  static Tensor scalar(T value);
  /// One axis of whole numbers.
  static Tensor of_integers(std::vector<int64_t> values);

  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& lengths() const { return lengths_; }
  size_t rank() const { return lengths_.size(); }
  int64_t size() const { return size_; }
  size_t size_bytes() const { return static_cast<size_t>(size_) * size_of(dtype_); }
  Shape shape() const { return Shape::of(lengths_); }

  const void* data() const { return data_; }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_bytes()}; }
  /// Memory of this tensor alone: what is shared or mapped is copied first.
  void* mutable_data();

  template <class T>
  std::span<const T> values() const {
    CAUSEWAY_CHECK(dtype_ == dtype_of<T>, "a tensor is read in its own dtype");
    return {static_cast<const T*>(data_), static_cast<size_t>(size_)};
  }
  template <class T>
  std::span<T> mutable_values() {
    CAUSEWAY_CHECK(dtype_ == dtype_of<T>, "a tensor is written in its own dtype");
    return {static_cast<T*>(mutable_data()), static_cast<size_t>(size_)};
  }
  /// Element i as a double, whatever the dtype (int64 past 2^53 rounds).
  double number_at(int64_t i) const;
  /// Element i of an integer or bool tensor.
  int64_t integer_at(int64_t i) const;

  /// The same bytes under other lengths of the same count.
  Tensor reshaped(std::vector<int64_t> lengths) const;
  /// Converted as ONNX's Cast does: floats to the nearest, floats to integers by truncation and clamped, to bool by != 0.
  Tensor converted(DType dtype) const;
  /// Axis i of the result is axis axes[i] of this one.
  Tensor permuted(std::span<const size_t> axes) const;

  bool is_mapped() const { return mapped_; }
  bool shares_memory_with(const Tensor& other) const { return data_ == other.data_; }
  /// Same dtype, lengths and bits.
  bool same_bits(const Tensor& other) const;

 private:
  DType dtype_ = DType::Float32;
  std::vector<int64_t> lengths_;
  int64_t size_ = 1;
  std::shared_ptr<const void> owner_;
  const void* data_ = nullptr;
  bool mapped_ = false;
};

/// Borrowed dense memory: what engines take and give.
struct TensorView {
  DType dtype = DType::Float32;
  std::span<const int64_t> lengths;
  void* data = nullptr;

  int64_t size() const {
    int64_t count = 1;
    for (const int64_t length : lengths) count *= length;
    return count;
  }
};

/// A view of a tensor that is only read, though the view's pointer is not const.
TensorView view_of(const Tensor& tensor);
/// A copy of what a view shows.
Tensor copy_of(const TensorView& view);

template <class T>
Tensor Tensor::of(std::vector<int64_t> lengths, const std::vector<T>& values) {
  Tensor made = uninitialized(dtype_of<T>, std::move(lengths));
  CAUSEWAY_CHECK(static_cast<size_t>(made.size()) == values.size(), "as many values as the lengths make");
  T* to = static_cast<T*>(made.mutable_data());
  for (size_t i = 0; i < values.size(); ++i) to[i] = values[i];
  return made;
}

template <class T>
Tensor Tensor::scalar(T value) {
  Tensor made = uninitialized(dtype_of<T>, {});
  *static_cast<T*>(made.mutable_data()) = value;
  return made;
}

}  // namespace causeway
