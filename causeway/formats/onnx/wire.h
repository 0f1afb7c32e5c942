#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace causeway::formats::onnx {

/// One field of a protobuf message as it lies in the bytes.
struct WireField {
  enum Kind : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

  uint32_t number = 0;
  Kind kind = Varint;
  uint64_t varint = 0;          ///< Of a Varint.
  std::string_view bytes = {};  ///< Of Bytes: the payload.
  std::string_view all = {};    ///< The field with its tag.
};

/// Walks the fields of one message, without entering any. Groups are none of ONNX's and end the walk as broken.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// False at the end, or where the bytes are no field.
  bool next(WireField& field);
  bool is_broken() const { return is_broken_; }

 private:
  bool take_varint(uint64_t& value);
  bool broken();

  std::string_view rest_;
  bool is_broken_ = false;
};

void put_varint(std::string& to, uint64_t value);
void put_bytes(std::string& to, uint32_t number, std::string_view bytes);

}  // namespace causeway::formats::onnx
