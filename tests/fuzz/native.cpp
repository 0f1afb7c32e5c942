#include "causeway/formats/byte_source.h"
#include "causeway/formats/native/native_file.h"
#include "tests/fuzz/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_bytes(data, size, [](std::span<const std::byte> bytes) {
    const auto source = causeway::formats::ByteSource::in_memory("fuzzed", bytes);
    if (causeway::formats::native::claims_native(source)) causeway::formats::native::read_native(source);
  });
}
