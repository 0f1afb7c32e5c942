#include "causeway/tensor/tensor.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "causeway/base/checked_size.h"
#include "causeway/tensor/dtype_switch.h"

namespace causeway {
namespace {

constexpr size_t kAlignment = 64;

alignas(kAlignment) constexpr float kZero = 0;

std::shared_ptr<void> allocate(size_t size_bytes) {
  // At least one line of it, so that an empty tensor has an address too.
  const size_t rounded = size_bytes == 0 ? kAlignment : (size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, std::free};
}

/// Noughts. Many come as the system hands out pages, which are noughts: no memory is taken before they are written.
std::shared_ptr<void> allocate_zeros(size_t size_bytes) {
  constexpr size_t kMany = size_t{1} << 20;
  if (size_bytes < kMany) {
    std::shared_ptr<void> memory = allocate(size_bytes);
    std::memset(memory.get(), 0, size_bytes);
    return memory;
  }
  size_t room = size_bytes + kAlignment;
  void* const memory = std::calloc(1, room);
  if (memory == nullptr) throw std::bad_alloc();
  void* aligned = memory;
  std::align(kAlignment, size_bytes, aligned, room);
  return {aligned, [memory](void*) { std::free(memory); }};
}

int64_t checked_count(DType dtype, std::span<const int64_t> lengths) {
  const std::optional<int64_t> count = checked_product(lengths);
  CAUSEWAY_CHECK(count, "lengths are at least 0, and their product fits int64");
  CAUSEWAY_CHECK(dtype != DType::Unknown, "a tensor has a known dtype");
  constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max() - static_cast<int64_t>(kAlignment);
  CAUSEWAY_CHECK(*count <= kMostBytes / static_cast<int64_t>(size_of(dtype)), "a tensor's bytes can be counted");
  return *count;
}

}  // namespace

Tensor::Tensor() : data_(&kZero) {}  // has no owner, so it is copied before it is written

Tensor::Tensor(DType dtype, std::vector<int64_t> lengths)
    : dtype_(dtype), lengths_(std::move(lengths)), size_(checked_count(dtype, lengths_)) {
  owner_ = allocate_zeros(size_bytes());
  data_ = owner_.get();
}

Tensor Tensor::uninitialized(DType dtype, std::vector<int64_t> lengths) {
  Tensor made;
  made.size_ = checked_count(dtype, lengths);
  made.dtype_ = dtype;
  made.lengths_ = std::move(lengths);
  made.owner_ = allocate(made.size_bytes());
  made.data_ = made.owner_.get();
  return made;
}

Tensor Tensor::over(DType dtype, std::vector<int64_t> lengths, const void* bytes, std::shared_ptr<const void> owner) {
  Tensor made;
  made.size_ = checked_count(dtype, lengths);
  CAUSEWAY_CHECK(reinterpret_cast<uintptr_t>(bytes) % size_of(dtype) == 0, "a tensor's bytes are aligned");
  made.dtype_ = dtype;
  made.lengths_ = std::move(lengths);
  made.owner_ = std::move(owner);
  made.data_ = bytes;
  made.mapped_ = true;
  return made;
}

Tensor Tensor::of_integers(std::vector<int64_t> values) { return of({static_cast<int64_t>(values.size())}, values); }

void* Tensor::mutable_data() {
  if (mapped_ || owner_.use_count() != 1) {
    std::shared_ptr<void> own = allocate(size_bytes());
    std::memcpy(own.get(), data_, size_bytes());
    data_ = own.get();
    owner_ = std::move(own);
    mapped_ = false;
  }
  return const_cast<void*>(data_);  // owned memory was allocated writable
}

double Tensor::number_at(int64_t i) const {
  CAUSEWAY_CHECK(i >= 0 && i < size_, "an element lies within the tensor");
  return with_type(dtype_, [&]<class T>(std::type_identity<T>) -> double {
    if constexpr (std::is_same_v<T, bool>) {
      return static_cast<const uint8_t*>(data_)[i] != 0;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<double>(static_cast<const T*>(data_)[i]);
    } else {
      return widen(static_cast<const T*>(data_)[i]);
    }
  });
}

int64_t Tensor::integer_at(int64_t i) const {
  CAUSEWAY_CHECK(i >= 0 && i < size_, "an element lies within the tensor");
  return with_type(dtype_, [&]<class T>(std::type_identity<T>) -> int64_t {
    if constexpr (std::is_same_v<T, bool>) {
      return static_cast<const uint8_t*>(data_)[i] != 0;
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<int64_t>(static_cast<const T*>(data_)[i]);
    } else {
      CAUSEWAY_CHECK(false, "whole numbers are read from integers and bools");
    }
  });
}

Tensor Tensor::reshaped(std::vector<int64_t> lengths) const {
  CAUSEWAY_CHECK(checked_product(lengths) == size_, "a reshape keeps the count of elements");
  Tensor made = *this;
  made.lengths_ = std::move(lengths);
  return made;
}

bool Tensor::same_bits(const Tensor& other) const {
  return dtype_ == other.dtype_ && lengths_ == other.lengths_ &&
         (data_ == other.data_ || std::memcmp(data_, other.data_, size_bytes()) == 0);
}

TensorView view_of(const Tensor& tensor) {
  return {tensor.dtype(), tensor.lengths(), const_cast<void*>(tensor.data())};
}

Tensor copy_of(const TensorView& view) {
  Tensor made = Tensor::uninitialized(view.dtype, {view.lengths.begin(), view.lengths.end()});
  if (made.size() > 0) std::memcpy(made.mutable_data(), view.data, made.size_bytes());
  return made;
}

}  // namespace causeway
