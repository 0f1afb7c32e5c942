#include "causeway/formats/hdf5.h"

#include "tests/fuzz/any_bytes.h"

namespace {

using causeway::formats::Hdf5Object;

void read_all(const Hdf5Object& object) {
  for (const char* attribute : {"weight_names", "model_config"}) {
    if (object.has_attribute(attribute)) object.texts(attribute);
  }
  if (object.is_dataset()) object.dataset().read();
  for (const Hdf5Object& child : object.children()) read_all(child);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_bytes(
      data, size, [](std::span<const std::byte> bytes) { read_all(causeway::formats::Hdf5File::open(bytes).root()); });
}
