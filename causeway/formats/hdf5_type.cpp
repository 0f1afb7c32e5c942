#include "causeway/formats/hdf5_type.h"

#include <limits>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"

namespace causeway::formats::hdf5 {
namespace {

constexpr uint8_t kMostAxes = 32;

std::string bytes_text(std::string_view what, uint32_t bytes) {
  return std::string(what) + " of " + std::to_string(bytes) + " bytes";
}

void read_integer(Reader reader, uint32_t bits, ElementType& type) {
  const bool is_signed = bits & 1u << 3;
  const uint16_t offset = reader.u16(), precision = reader.u16();
  type.big_endian = bits & 1u;
  type.name = bytes_text(is_signed ? "integers" : "unsigned integers", type.size_bytes);
  if (offset != 0 || precision != 8 * type.size_bytes) {
    type.name += ", not all of whose bits count";
    return;
  }
  switch (type.size_bytes) {
    case 1:
      type.dtype = is_signed ? DType::Int8 : DType::UInt8;
      break;
    case 2:
      type.dtype = is_signed ? DType::Int16 : DType::UInt16;
      break;
    case 4:
      type.dtype = is_signed ? DType::Int32 : DType::UInt32;
      break;
    case 8:
      type.dtype = is_signed ? DType::Int64 : DType::UInt64;
      break;
    default:
      return;
  }
  type.kind = ElementType::Kind::Number;
  type.name = name_of(type.dtype);
}

void read_float(Reader reader, uint32_t bits, ElementType& type) {
  struct Layout {
    uint32_t size_bytes;
    DType dtype;
    uint8_t exponent_at, exponent_bits, mantissa_bits;
    uint32_t bias;
  };
  static constexpr Layout kRead[] = {
      {2, DType::Float16, 10, 5, 10, 15},
      {4, DType::Float32, 23, 8, 23, 127},
      {8, DType::Float64, 52, 11, 52, 1023},
  };
  const uint16_t offset = reader.u16(), precision = reader.u16();
  const uint8_t exponent_at = reader.u8(), exponent_bits = reader.u8(), mantissa_at = reader.u8(),
                mantissa_bits = reader.u8();
  const uint32_t bias = reader.u32();
  const uint32_t sign_at = bits >> 8 & 0xFF, leading_one = bits >> 4 & 3;
  type.big_endian = bits & 1u;
  type.name = bytes_text("floats", type.size_bytes) + " with " + std::to_string(exponent_bits) + " bits of exponent";
  for (const Layout& layout : kRead) {
    const bool fits = layout.size_bytes == type.size_bytes && offset == 0 && precision == 8 * layout.size_bytes &&
                      exponent_at == layout.exponent_at && exponent_bits == layout.exponent_bits && mantissa_at == 0 &&
                      mantissa_bits == layout.mantissa_bits && bias == layout.bias &&
                      sign_at == 8 * layout.size_bytes - 1 && leading_one == 2 && !(bits & 1u << 6);
    if (!fits) continue;
    type.kind = ElementType::Kind::Number;
    type.dtype = layout.dtype;
    type.name = name_of(type.dtype);
  }
}

}  // namespace

ElementType read_type(Reader reader) {
  const size_t at = reader.at();
  const uint8_t first = reader.u8();
  const uint32_t bits = static_cast<uint32_t>(reader.sized(3));
  ElementType type;
  type.size_bytes = reader.u32();
  const unsigned version = first >> 4, kind = first & 0xFu;
  if (version < 1 || version > 5) unfit_at(at, "a datatype of version " + std::to_string(version) + " stands here.");
  if (type.size_bytes == 0) unfit_at(at, "a datatype of 0 bytes stands here.");
  switch (kind) {
    case 0:
      read_integer(reader, bits, type);
      break;
    case 1:
      read_float(reader, bits, type);
      break;
    case 2:
      type.name = "times";
      break;
    case 3:
      type.kind = ElementType::Kind::Text;
      type.padding = bits & 0xF;
      type.name = bytes_text("texts", type.size_bytes);
      if (type.padding > 2) unfit_at(at, "a text is filled up in an unknown way.");
      break;
    case 4:
      type.name = "bit fields";
      break;
    case 5:
      type.name = bytes_text("opaque elements", type.size_bytes);
      break;
    case 6:
      type.name = "compound elements";
      break;
    case 7:
      type.name = "references";
      break;
    case 8:
      type.name = "enumerated values";
      break;
    case 9:
      type.kind = (bits & 0xF) == 1 ? ElementType::Kind::LongText : ElementType::Kind::Other;
      type.name = type.kind == ElementType::Kind::LongText ? "texts of variable length" : "lists of variable length";
      break;
    case 10:
      type.name = "arrays";
      break;
    case 11:
      type.name = "complex numbers";
      break;
    default:
      unfit_at(at, "a datatype of an unknown class, " + std::to_string(kind) + ", stands here.");
  }
  return type;
}

Dataspace read_dataspace(Reader reader) {
  const size_t at = reader.at();
  const uint8_t version = reader.u8(), rank = reader.u8(), flags = reader.u8();
  if (version != 1 && version != 2) unfit_at(at, "a dataspace of version " + std::to_string(version) + " stands here.");
  if (rank > kMostAxes) unfit_at(at, "a dataspace of " + std::to_string(rank) + " axes stands here.");
  Dataspace space;
  if (version == 1) {
    reader.skip(5);
  } else {
    space.is_null = reader.u8() == 2;
  }
  for (uint8_t i = 0; i < rank; ++i) {
    const uint64_t length = reader.length();
    if (length > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      unfit_at(at, "a dataspace's length is past what can be counted.");
    }
    space.lengths.push_back(static_cast<int64_t>(length));
    space.most.push_back(length);
  }
  if (flags & 1u) {
    for (uint8_t i = 0; i < rank; ++i) {
      space.most[i] = reader.length();
      if (space.most[i] < static_cast<uint64_t>(space.lengths[i])) {
        unfit_at(at, "a dataspace is longer than it may grow.");
      }
    }
  }
  if (!checked_product(space.lengths)) unfit_at(at, "a dataspace holds more elements than can be counted.");
  return space;
}

}  // namespace causeway::formats::hdf5
