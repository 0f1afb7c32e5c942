#include "causeway/base/json.h"

#include <cstdlib>

#include "tests/fuzz/any_bytes.h"

// What is read is written so that it is read the same again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_text(data, size, [](std::string_view text) {
    const causeway::Json value = causeway::parse_json(text, "");
    if (causeway::parse_json(value.dump(), "") != value) std::abort();
  });
}
