#include "causeway/cli/arrays.h"

#include "tests/fuzz/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_bytes(data, size, [](std::span<const std::byte> bytes) {
    causeway::cli::arrays_of(causeway::formats::ByteSource::in_memory("fuzzed", bytes));
  });
}
