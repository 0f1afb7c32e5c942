#pragma once

// formats/safetensors/ reads and writes the container of that name: a JSON header and dense numbers behind it, alone or
// in shards beside an index. What the names and the metadata mean is the affair of formats/pytorch and formats/native.

#include <optional>
#include <span>
#include <string_view>

#include "causeway/tensor/dtype.h"

namespace causeway::formats::safetensors {

/// What one element of a file is: safetensors' name, PyTorch's, its bits, and the dtype a tensor here holds it in
/// (Unknown where none does).
struct ElementKind {
  std::string_view name;        ///< "BF16"; empty where safetensors has none.
  std::string_view torch_name;  ///< "bfloat16".
  int bits = 0;
  DType dtype = DType::Unknown;
};

std::span<const ElementKind> element_kinds();

/// Null where there is none of that name.
const ElementKind* kind_named(std::string_view name);
const ElementKind* kind_of_torch(std::string_view torch_name);
/// The kind of a tensor here, which every dtype but Unknown has.
const ElementKind& kind_of(DType dtype);

/// Bytes of `count` elements; none where they pass int64 or fill no whole number of bytes.
std::optional<int64_t> bytes_of(const ElementKind& kind, int64_t count);

}  // namespace causeway::formats::safetensors
