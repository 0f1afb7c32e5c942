#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "causeway/base/fault.h"
#include "causeway/tensor/dtype.h"
#include "causeway/tensor/tensor.h"

namespace causeway::reference {

template <class T>
concept Floating =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, Half> || std::same_as<T, BFloat16>;

/// What an element is worked in: double for every float, 64 bits for whole numbers (bool counts as one).
template <class T>
using Wide = std::conditional_t<Floating<T>, double, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <class T>
Wide<T> wide(T number) {
  if constexpr (std::same_as<T, Half> || std::same_as<T, BFloat16>) {
    return widen(number);
  } else {
    return static_cast<Wide<T>>(number);
  }
}

/// Rounded once to nearest; whole numbers wrap in their declared width.
template <class T>
T narrow(Wide<T> number) {
  if constexpr (std::same_as<T, Half>) {
    return to_half(number);
  } else if constexpr (std::same_as<T, BFloat16>) {
    return to_bfloat16(number);
  } else if constexpr (std::same_as<T, bool>) {
    return number != 0;
  } else {
    return static_cast<T>(number);
  }
}

template <class T>
const T* read(const TensorView& view) {
  return static_cast<const T*>(view.data);
}
template <class T>
T* write(const TensorView& view) {
  return static_cast<T*>(view.data);
}

/// Element i of an int64 or int32 view: an index, or a length.
inline int64_t index_at(const TensorView& view, int64_t i) {
  return view.dtype == DType::Int32 ? read<int32_t>(view)[i] : read<int64_t>(view)[i];
}

namespace detail {

template <class F, class... Ts>
void with_type_of(DType dtype, F f, std::type_identity<Ts>... types) {
  const bool found = ((dtype == dtype_of<Ts> ? (f(types), true) : false) || ...);
  if (!found) unfit("no kernel computes it in " + std::string(name_of(dtype)) + ".");
}

}  // namespace detail

/// Calls f(std::type_identity<T>()) with the C++ type of a dtype; unfit() for a dtype of another kind.
template <class F>
void with_floating(DType dtype, F f) {
  using std::type_identity;
  detail::with_type_of(dtype, f, type_identity<float>(), type_identity<double>(), type_identity<Half>(),
                       type_identity<BFloat16>());
}
template <class F>
void with_number(DType dtype, F f) {
  using std::type_identity;
  detail::with_type_of(dtype, f, type_identity<float>(), type_identity<double>(), type_identity<Half>(),
                       type_identity<BFloat16>(), type_identity<int64_t>(), type_identity<int32_t>(),
                       type_identity<int16_t>(), type_identity<int8_t>(), type_identity<uint64_t>(),
                       type_identity<uint32_t>(), type_identity<uint16_t>(), type_identity<uint8_t>());
}
template <class F>
void with_any(DType dtype, F f) {
  if (dtype == DType::Bool) return f(std::type_identity<bool>());
  with_number(dtype, f);
}
/// For moving elements: the unsigned type of their size.
template <class F>
void with_bits(DType dtype, F f) {
  switch (size_of(dtype)) {
    case 1:
      return f(std::type_identity<uint8_t>());
    case 2:
      return f(std::type_identity<uint16_t>());
    case 4:
      return f(std::type_identity<uint32_t>());
    case 8:
      return f(std::type_identity<uint64_t>());
    default:
      unfit("no kernel moves " + std::string(name_of(dtype)) + ".");
  }
}

/// A real number as the nearest that `W` has, for settings given as floats.
template <class W>
W clamped(double number) {
  if constexpr (std::same_as<W, double>) {
    return number;
  } else {
    if (!(number > static_cast<double>(std::numeric_limits<W>::min()))) return std::numeric_limits<W>::min();
    if (!(number < static_cast<double>(std::numeric_limits<W>::max()))) return std::numeric_limits<W>::max();
    return static_cast<W>(number);
  }
}

}  // namespace causeway::reference
