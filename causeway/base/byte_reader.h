#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "causeway/base/fault.h"

namespace causeway {

/// Reads little-endian numbers from bytes one after another; a read past the end calls unfit() with the byte.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, size_t start = 0) : bytes_(bytes), at_(start) {}

  size_t at() const { return at_; }
  size_t left() const { return at_ < bytes_.size() ? bytes_.size() - at_ : 0; }
  bool done() const { return left() == 0; }
  void seek(size_t at) { at_ = at; }

  std::span<const std::byte> take(size_t count) {
    if (count > left()) {
      unfit("byte " + std::to_string(at_) + ": " + std::to_string(count) + " bytes are read here, and " +
            std::to_string(left()) + " are left.");
    }
    const std::span<const std::byte> taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }
  void skip(size_t count) { take(count); }

  /// An unsigned or signed whole number or a float of sizeof(T) bytes.
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  uint8_t u8() { return number<uint8_t>(); }
  uint16_t u16() { return number<uint16_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }

  std::string_view text(size_t count) {
    const std::span<const std::byte> taken = take(count);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  size_t at_;
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files and machines here are little-endian");

}  // namespace causeway
