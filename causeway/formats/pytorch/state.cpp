#include "causeway/formats/pytorch/state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "causeway/base/check.h"
#include "causeway/base/checked_size.h"

namespace causeway::formats::pytorch {
namespace {

constexpr std::string_view kE4M3 = "float8_e4m3fn";
constexpr std::string_view kE5M2 = "float8_e5m2";

/// float8_e4m3fn: 4 bits of exponent (bias 7), 3 of mantissa, no infinity; all ones is nan.
Half widened_e4m3(uint8_t bits) {
  const auto sign = static_cast<uint16_t>((bits & 0x80) << 8);
  const int exponent = (bits >> 3) & 15, mantissa = bits & 7;
  if (exponent == 15 && mantissa == 7) return Half{static_cast<uint16_t>(sign | 0x7e00)};
  const float value = exponent == 0 ? static_cast<float>(mantissa) / 512.0f
                                    : static_cast<float>(8 + mantissa) *
                                          std::bit_cast<float>(static_cast<uint32_t>(exponent + 117) << 23);
  return Half{static_cast<uint16_t>(sign | to_half(value).bits)};
}

/// float8_e5m2 is the upper byte of a float16.
Half widened_e5m2(uint8_t bits) { return Half{static_cast<uint16_t>(bits << 8)}; }

std::array<Half, 256> table_of(std::string_view torch_name) {
  std::array<Half, 256> table;
  for (size_t bits = 0; bits < table.size(); ++bits) {
    const auto byte = static_cast<uint8_t>(bits);
    table[bits] = torch_name == kE4M3 ? widened_e4m3(byte) : widened_e5m2(byte);
  }
  return table;
}

/// Calls `each` with the element offset of every number, in the order of a dense tensor.
template <class Each>
void walk(const StateTensor& tensor, const Each& each) {
  const std::vector<int64_t>& lengths = tensor.lengths;
  const std::vector<int64_t> strides = tensor.strides.empty() ? dense_strides(lengths) : tensor.strides;
  const int64_t count = checked_product(lengths).value();
  if (count == 0) return;
  const size_t rank = lengths.size();
  const int64_t row = rank == 0 ? 1 : lengths.back(), step = rank == 0 ? 0 : strides.back();
  std::vector<int64_t> at(rank, 0);
  int64_t offset = tensor.offset;
  for (int64_t done = 0; done < count; done += row) {
    for (int64_t i = 0; i < row; ++i) each(offset + i * step);
    for (size_t axis = rank == 0 ? 0 : rank - 1; axis-- > 0;) {
      offset += strides[axis];
      if (++at[axis] < lengths[axis]) break;
      offset -= at[axis] * strides[axis];
      at[axis] = 0;
    }
  }
}

template <size_t kBytes>
void gather(const StateTensor& tensor, const std::byte* from, std::byte* to) {
  walk(tensor, [&](int64_t offset) {
    const std::byte* const element = from + static_cast<size_t>(offset) * kBytes;
    if (tensor.is_swapped) {
      std::reverse_copy(element, element + kBytes, to);
    } else {
      std::memcpy(to, element, kBytes);
    }
    to += kBytes;
  });
}

bool is_dense(const StateTensor& tensor) {
  if (tensor.strides.empty()) return true;
  const std::vector<int64_t> dense = dense_strides(tensor.lengths);
  for (size_t axis = 0; axis < dense.size(); ++axis) {
    if (tensor.lengths[axis] > 1 && tensor.strides[axis] != dense[axis]) return false;
  }
  return true;
}

}  // namespace

OwnedBytes Storage::bytes() {
  if (std::shared_ptr<const void> owner = owner_.lock()) return {bytes_, std::move(owner)};
  OwnedBytes fetched = fetch_();
  bytes_ = fetched.bytes;
  owner_ = fetched.owner;
  return fetched;
}

bool is_readable(const ElementKind& kind) {
  return is_floating(kind.dtype) || kind.torch_name == kE4M3 || kind.torch_name == kE5M2;
}

Tensor numbers_of(const StateTensor& tensor) {
  CAUSEWAY_CHECK(tensor.refused.empty() && is_readable(*tensor.kind),
                 "only numbers that can stand in a slot are taken");
  const int64_t count = checked_product(tensor.lengths).value();
  const bool is_byte = tensor.kind->dtype == DType::Unknown;
  const DType dtype = is_byte ? DType::Float16 : tensor.kind->dtype;
  if (count == 0) return Tensor(dtype, tensor.lengths);

  const OwnedBytes from = tensor.storage->bytes();
  const size_t element_bytes = static_cast<size_t>(tensor.kind->bits) / 8;
  const std::byte* const begin = from.bytes.data() + static_cast<size_t>(tensor.offset) * element_bytes;
  const bool is_aligned = reinterpret_cast<uintptr_t>(begin) % size_of(dtype) == 0;
  if (!is_byte && !tensor.is_swapped && is_aligned && is_dense(tensor)) {
    return Tensor::over(dtype, tensor.lengths, begin, from.owner);
  }
  Tensor gathered = Tensor::uninitialized(dtype, tensor.lengths);
  auto* const to = static_cast<std::byte*>(gathered.mutable_data());
  if (is_byte) {
    const std::array<Half, 256> table = table_of(tensor.kind->torch_name);
    auto* half = static_cast<Half*>(gathered.mutable_data());
    walk(tensor,
         [&](int64_t offset) { *half++ = table[static_cast<uint8_t>(from.bytes[static_cast<size_t>(offset)])]; });
  } else if (element_bytes == 2) {
    gather<2>(tensor, from.bytes.data(), to);
  } else if (element_bytes == 4) {
    gather<4>(tensor, from.bytes.data(), to);
  } else {
    gather<8>(tensor, from.bytes.data(), to);
  }
  return gathered;
}

}  // namespace causeway::formats::pytorch
