#include "causeway/base/json.h"
#include "causeway/pipeline/declaration.h"
#include "tests/fuzz/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_text(data, size, [](std::string_view text) {
    causeway::pipeline::Declaration::read(causeway::parse_json(text, "P.json"), "P.json", {});
  });
}
