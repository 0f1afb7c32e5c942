#include "causeway/base/json.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "causeway/base/fault.h"

// What is read is written so that it is read the same again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const causeway::Json value = causeway::parse_json({reinterpret_cast<const char*>(data), size}, "");
    if (causeway::parse_json(value.dump(), "") != value) std::abort();
  } catch (const causeway::Refused&) {
  }
  return 0;
}
