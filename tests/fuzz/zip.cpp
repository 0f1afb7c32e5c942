#include "causeway/formats/zip.h"

#include <cstdint>
#include <span>

#include "causeway/base/fault.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kMostBytes = 1 << 20;
  try {
    const causeway::formats::ZipArchive archive(std::as_bytes(std::span(data, size)));
    for (const causeway::formats::ZipMember& member : archive.members()) archive.read(member, kMostBytes);
  } catch (const causeway::Refused&) {
  }
  return 0;
}
