#include "causeway/formats/safetensors/element_kind.h"

#include <algorithm>

#include "causeway/base/check.h"
#include "causeway/base/checked_size.h"

namespace causeway::formats::safetensors {
namespace {

constexpr ElementKind kKinds[] = {
    {"F32", "float32", 32, DType::Float32},
    {"F64", "float64", 64, DType::Float64},
    {"F16", "float16", 16, DType::Float16},
    {"BF16", "bfloat16", 16, DType::BFloat16},
    {"I64", "int64", 64, DType::Int64},
    {"I32", "int32", 32, DType::Int32},
    {"I16", "int16", 16, DType::Int16},
    {"I8", "int8", 8, DType::Int8},
    {"U64", "uint64", 64, DType::UInt64},
    {"U32", "uint32", 32, DType::UInt32},
    {"U16", "uint16", 16, DType::UInt16},
    {"U8", "uint8", 8, DType::UInt8},
    {"BOOL", "bool", 8, DType::Bool},
    {"F8_E4M3", "float8_e4m3fn", 8, DType::Unknown},
    {"F8_E5M2", "float8_e5m2", 8, DType::Unknown},
    {"F8_E8M0", "float8_e8m0fnu", 8, DType::Unknown},
    {"F8_E4M3FNUZ", "float8_e4m3fnuz", 8, DType::Unknown},
    {"F8_E5M2FNUZ", "float8_e5m2fnuz", 8, DType::Unknown},
    {"F6_E2M3", "float6_e2m3fn", 6, DType::Unknown},
    {"F6_E3M2", "float6_e3m2fn", 6, DType::Unknown},
    {"F4", "float4_e2m1fn_x2", 4, DType::Unknown},
    {"C64", "complex64", 64, DType::Unknown},
    {"", "complex128", 128, DType::Unknown},
    {"", "complex32", 32, DType::Unknown},
};

template <class Matches>
const ElementKind* first(const Matches& matches) {
  const ElementKind* const found = std::find_if(std::begin(kKinds), std::end(kKinds), matches);
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace

std::span<const ElementKind> element_kinds() { return kKinds; }

const ElementKind* kind_named(std::string_view name) {
  if (name.empty()) return nullptr;
  return first([&](const ElementKind& kind) { return kind.name == name; });
}

const ElementKind* kind_of_torch(std::string_view torch_name) {
  return first([&](const ElementKind& kind) { return kind.torch_name == torch_name; });
}

const ElementKind& kind_of(DType dtype) {
  const ElementKind* const kind = first([&](const ElementKind& row) { return row.dtype == dtype; });
  CAUSEWAY_CHECK(dtype != DType::Unknown && kind, "a tensor has a dtype");
  return *kind;
}

std::optional<int64_t> bytes_of(const ElementKind& kind, int64_t count) {
  const std::optional<int64_t> bits = checked_multiply(count, kind.bits);
  if (!bits || *bits % 8 != 0) return std::nullopt;
  return *bits / 8;
}

}  // namespace causeway::formats::safetensors
