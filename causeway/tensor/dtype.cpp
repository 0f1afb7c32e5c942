#include "causeway/tensor/dtype.h"

#include <bit>

namespace causeway {
namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  size_t size_bytes;
};

constexpr DTypeRow kDTypes[] = {
    // in the order of the enumeration
    {DType::Unknown, "unknown", 0}, {DType::Float32, "float32", 4},   {DType::Float64, "float64", 8},
    {DType::Float16, "float16", 2}, {DType::BFloat16, "bfloat16", 2}, {DType::Int64, "int64", 8},
    {DType::Int32, "int32", 4},     {DType::Int16, "int16", 2},       {DType::Int8, "int8", 1},
    {DType::UInt64, "uint64", 8},   {DType::UInt32, "uint32", 4},     {DType::UInt16, "uint16", 2},
    {DType::UInt8, "uint8", 1},     {DType::Bool, "bool", 1},
};

/// A float of 16 bits with so many bits behind the point.
struct Narrow {
  int fraction_bits, least_exponent, bias;
};
constexpr Narrow kHalf{10, -14, 15};
constexpr Narrow kBFloat16{7, -126, 127};

/// Rounded once, to nearest, ties to even, subnormals too.
uint16_t narrowed(double number, const Narrow& to) {
  constexpr int kFractionBits = 52;
  constexpr uint64_t kFraction = (uint64_t{1} << kFractionBits) - 1;
  const auto bits = std::bit_cast<uint64_t>(number);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  const int stored_exponent = static_cast<int>(bits >> kFractionBits & 0x7FF);
  const uint64_t infinity = static_cast<uint64_t>(2 * to.bias + 1) << to.fraction_bits;
  if (stored_exponent == 0x7FF) {
    const uint64_t payload = bits & kFraction;
    // A NaN keeps the upper bits of its payload, and becomes quiet so that it stays one.
    const uint64_t nan = (payload >> (kFractionBits - to.fraction_bits)) | uint64_t{1} << (to.fraction_bits - 1);
    return static_cast<uint16_t>(sign | infinity | (payload == 0 ? 0 : nan));
  }
  if (stored_exponent == 0) return sign;  // a subnormal float64 lies far below any float of 16 bits

  const int exponent = stored_exponent - 1023;
  const bool subnormal = exponent < to.least_exponent;
  const int dropped = kFractionBits - to.fraction_bits + (subnormal ? to.least_exponent - exponent : 0);
  if (dropped > kFractionBits + 1) return sign;
  const uint64_t significand = (bits & kFraction) | uint64_t{1} << kFractionBits;
  const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
  const uint64_t middle = uint64_t{1} << (dropped - 1);
  uint64_t kept = significand >> dropped;
  if (rest > middle || (rest == middle && (kept & 1) != 0)) ++kept;
  // The leading 1 of `kept` counts one up in the exponent, and so does a carry out of it.
  if (!subnormal) kept += static_cast<uint64_t>(exponent + to.bias - 1) << to.fraction_bits;
  return static_cast<uint16_t>(sign | (kept < infinity ? kept : infinity));
}

}  // namespace

std::string_view name_of(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].name; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const DTypeRow& row : kDTypes) {
    if (row.name == name && row.dtype != DType::Unknown) return row.dtype;
  }
  return std::nullopt;
}

size_t size_of(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].size_bytes; }

float widen(Half half) {
  const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000) << 16;
  const uint32_t exponent = half.bits >> 10 & 0x1F;
  const uint32_t fraction = half.bits & 0x3FF;
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(size));
  }
  const uint32_t wide_exponent = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

float widen(BFloat16 number) { return std::bit_cast<float>(static_cast<uint32_t>(number.bits) << 16); }

Half to_half(float number) { return {narrowed(number, kHalf)}; }

Half to_half(double number) { return {narrowed(number, kHalf)}; }

BFloat16 to_bfloat16(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return {static_cast<uint16_t>(bits >> 16 | 0x40)};
  return {static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)};
}

BFloat16 to_bfloat16(double number) { return {narrowed(number, kBFloat16)}; }

}  // namespace causeway
