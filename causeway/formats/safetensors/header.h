#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/safetensors/container.h"

namespace causeway::formats::safetensors {

/// One entry as the header states it.
struct StatedTensor {
  std::string name;
  const ElementKind* kind = nullptr;
  std::vector<int64_t> lengths;
  uint64_t begin = 0, end = 0;
};

struct Header {
  Metadata metadata;
  std::vector<StatedTensor> tensors;
  std::vector<Fault> faults;  ///< Of entries, each at its tensor; the faulty entries are left out.
};

/// Reads the JSON of a header in one pass, keeping nothing but its entries. Throws Refused where it is no JSON object.
Header parse_header(std::string_view json);

}  // namespace causeway::formats::safetensors
