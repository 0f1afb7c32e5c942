#include "causeway/formats/hdf5.h"

#include <cstdint>
#include <span>

#include "causeway/base/fault.h"

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
  try {
    read_all(causeway::formats::Hdf5File::open(std::as_bytes(std::span(data, size))).root());
  } catch (const causeway::Refused&) {
  }
  return 0;
}
