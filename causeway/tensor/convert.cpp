#include <cmath>
#include <limits>
#include <type_traits>

#include "causeway/tensor/dtype_switch.h"
#include "causeway/tensor/tensor.h"

namespace causeway {
namespace {

template <class T>
constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// A whole number as a float64 that rounds on to 16 bits as the number itself does: what is past 53 bits stays visible
/// in the last of them (rounding to odd).
template <class Integer>
double to_odd(Integer number) {
  constexpr int kDropped = 11;
  const bool negative = number < 0;
  uint64_t size = negative ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  if (size >> 53 != 0) {
    const bool inexact = (size & ((uint64_t{1} << kDropped) - 1)) != 0;
    size = size >> kDropped << kDropped | (inexact ? uint64_t{1} << kDropped : 0);
  }
  return negative ? -static_cast<double>(size) : static_cast<double>(size);
}

/// Cut towards zero and held within the type's range; NaN, of which ONNX says nothing, gives 0.
template <class Integer, class Real>
Integer truncated(Real number) {
  using Limits = std::numeric_limits<Integer>;
  // 2 to the count of value bits, which every floating type here holds exactly, as it does the least of a signed type.
  const Real past = std::ldexp(Real{1}, Limits::digits);
  if (number >= past) return Limits::max();
  if (std::is_signed_v<Integer> ? number < -past : number <= 0) return Limits::min();
  return number == number ? static_cast<Integer>(number) : Integer{0};
}

/// One element, widened to what C++ computes with.
template <class To, class From>
To cast(From number) {
  if constexpr (is_half<From>) {
    return cast<To>(widen(number));
  } else if constexpr (std::is_same_v<To, bool>) {
    return number != From{0};
  } else if constexpr (std::is_same_v<To, Half>) {
    if constexpr (std::is_integral_v<From>)
      return to_half(to_odd(number));
    else
      return to_half(number);
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    if constexpr (std::is_integral_v<From>)
      return to_bfloat16(to_odd(number));
    else
      return to_bfloat16(number);
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    return truncated<To>(number);
  } else {
    return static_cast<To>(number);  // rounds once to nearest; integers wrap, as ONNX says
  }
}

template <class To, class From>
void convert(const From* from, To* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = cast<To>(from[i]);
}

}  // namespace

Tensor Tensor::converted(DType dtype) const {
  if (dtype == dtype_) return *this;
  Tensor made = uninitialized(dtype, lengths_);
  with_type(dtype_, [&]<class From>(std::type_identity<From>) {
    with_type(dtype, [&]<class To>(std::type_identity<To>) {
      // A file's bool may hold other bytes than 0 and 1, which no C++ bool does.
      if constexpr (std::is_same_v<From, bool>) {
        const auto* from = static_cast<const uint8_t*>(data_);
        To* to = static_cast<To*>(made.mutable_data());
        for (int64_t i = 0; i < size_; ++i) to[i] = cast<To>(static_cast<uint8_t>(from[i] != 0));
      } else {
        convert(static_cast<const From*>(data_), static_cast<To*>(made.mutable_data()), size_);
      }
    });
  });
  return made;
}

}  // namespace causeway
