#include <cstdint>
#include <span>

#include "causeway/base/fault.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/safetensors/container.h"

namespace safetensors = causeway::formats::safetensors;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    safetensors::read_safetensors(
        causeway::formats::ByteSource::in_memory("fuzzed", std::as_bytes(std::span(data, size))));
  } catch (const causeway::Refused&) {
  }
  return 0;
}
