#pragma once

// tensor/ holds numbers and their shapes: element types, dimensions that may be symbolic, dense tensors that are owned
// or mapped and shared until written, and the turns that say how a file lays a slot out. Nothing here computes a layer.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace causeway {

/// What one element is. Networks compute in Float32; the others stand at doors, in indexes, masks and constants.
/// Unknown is the type of a value behind a refused node: it fits everything.
enum class DType : uint8_t {
  Unknown,
  Float32,
  Float64,
  Float16,
  BFloat16,
  Int64,
  Int32,
  Int16,
  Int8,
  UInt64,
  UInt32,
  UInt16,
  UInt8,
  Bool,
};

/// "float32", "bfloat16", "bool" …, as ONNX, NumPy and PyTorch spell them.
std::string_view name_of(DType dtype);
std::optional<DType> dtype_named(std::string_view name);
/// Bytes of one element; 0 for Unknown.
size_t size_of(DType dtype);

inline bool is_floating(DType dtype) {
  return dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Float16 || dtype == DType::BFloat16;
}
inline bool is_integer(DType dtype) { return dtype >= DType::Int64 && dtype <= DType::UInt8; }

/// IEEE half precision, as bits.
struct Half {
  uint16_t bits = 0;
};
/// The upper half of a float32, as bits.
struct BFloat16 {
  uint16_t bits = 0;
};

/// Exact.
float widen(Half half);
float widen(BFloat16 number);
/// Rounded to nearest, ties to even; too large gives infinity.
Half to_half(float number);
Half to_half(double number);
BFloat16 to_bfloat16(float number);
BFloat16 to_bfloat16(double number);

template <class T>
constexpr DType dtype_of = DType::Unknown;
template <>
inline constexpr DType dtype_of<float> = DType::Float32;
template <>
inline constexpr DType dtype_of<double> = DType::Float64;
template <>
inline constexpr DType dtype_of<Half> = DType::Float16;
template <>
inline constexpr DType dtype_of<BFloat16> = DType::BFloat16;
template <>
inline constexpr DType dtype_of<int64_t> = DType::Int64;
template <>
inline constexpr DType dtype_of<int32_t> = DType::Int32;
template <>
inline constexpr DType dtype_of<int16_t> = DType::Int16;
template <>
inline constexpr DType dtype_of<int8_t> = DType::Int8;
template <>
inline constexpr DType dtype_of<uint64_t> = DType::UInt64;
template <>
inline constexpr DType dtype_of<uint32_t> = DType::UInt32;
template <>
inline constexpr DType dtype_of<uint16_t> = DType::UInt16;
template <>
inline constexpr DType dtype_of<uint8_t> = DType::UInt8;
template <>
inline constexpr DType dtype_of<bool> = DType::Bool;

}  // namespace causeway
