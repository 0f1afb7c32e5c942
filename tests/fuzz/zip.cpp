#include "causeway/formats/zip.h"

#include "tests/fuzz/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kMostBytes = 1 << 20;
  return causeway::tests::any_bytes(data, size, [](std::span<const std::byte> bytes) {
    const causeway::formats::ZipArchive archive(bytes);
    for (const causeway::formats::ZipMember& member : archive.members()) archive.read(member, kMostBytes);
  });
}
