#include "causeway/formats/onnx/wire.h"

namespace causeway::formats::onnx {

bool WireReader::broken() {
  is_broken_ = true;
  rest_ = {};
  return false;
}

bool WireReader::take_varint(uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return false;
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool WireReader::next(WireField& field) {
  if (rest_.empty()) return false;
  const std::string_view from = rest_;
  uint64_t tag = 0;
  if (!take_varint(tag) || tag > 0xffffffffu || tag >> 3 == 0) return broken();
  field = {.number = static_cast<uint32_t>(tag >> 3), .kind = static_cast<WireField::Kind>(tag & 7)};
  uint64_t size = 0;
  switch (field.kind) {
    case WireField::Varint:
      if (!take_varint(field.varint)) return broken();
      break;
    case WireField::Fixed64:
      size = 8;
      break;
    case WireField::Fixed32:
      size = 4;
      break;
    case WireField::Bytes:
      if (!take_varint(size)) return broken();
      break;
    default:
      return broken();
  }
  if (size > rest_.size()) return broken();
  if (field.kind == WireField::Bytes) field.bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  field.all = from.substr(0, from.size() - rest_.size());
  return true;
}

void put_varint(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(0x80 | (value & 0x7f)));
  to.push_back(static_cast<char>(value));
}

void put_bytes(std::string& to, uint32_t number, std::string_view bytes) {
  put_varint(to, uint64_t{number} << 3 | WireField::Bytes);
  put_varint(to, bytes.size());
  to.append(bytes);
}

}  // namespace causeway::formats::onnx
