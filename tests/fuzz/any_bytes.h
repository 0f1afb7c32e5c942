#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "causeway/base/fault.h"

namespace causeway::tests {

/// What every target promises of its reader: bytes, as text where that is what it reads, are read or Refused. Whatever
/// else is thrown ends the program.
template <class Read>
int any_bytes(const uint8_t* data, size_t size, const Read& read) {
  try {
    read(std::as_bytes(std::span(data, size)));
  } catch (const Refused&) {
  }
  return 0;
}

template <class Read>
int any_text(const uint8_t* data, size_t size, const Read& read) {
  return any_bytes(data, size, [&read](std::span<const std::byte> bytes) {
    read(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  });
}

}  // namespace causeway::tests
