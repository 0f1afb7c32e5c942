#include "causeway/nn/words.h"

#include "tests/fuzz/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_text(data, size,
                                   [](std::string_view text) { causeway::network_of_words(text, "NET.json"); });
}
