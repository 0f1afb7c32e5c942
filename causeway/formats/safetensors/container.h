#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/safetensors/element_kind.h"
#include "causeway/tensor/tensor.h"

namespace causeway::formats::safetensors {

/// One tensor of a file, as its header says; the numbers stay where they are until they are asked for.
struct StoredTensor {
  std::string name;
  const ElementKind* kind = nullptr;
  std::vector<int64_t> lengths;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;

  /// Over the file's bytes where they are aligned, else a copy. The kind has a dtype here. Calls unfit() where an element
  /// of a bool tensor is neither 0 nor 1.
  Tensor tensor() const;
};

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// What a safetensors file holds: everything in the order of its header.
struct SafetensorsFile {
  Metadata metadata;
  std::vector<StoredTensor> tensors;

  /// Null where there is none.
  const std::string* find_metadata(std::string_view key) const;
};

/// Whether the bytes begin as a safetensors file: a length of 8 bytes, then (after spaces) an opening brace.
bool claims_safetensors(const ByteSource& source);

/// Reads the header of one file and checks all of it: every name once; every range as long as its shape and kind say;
/// the ranges together covering the data, without overlap, gap or rest.
///
/// Refused    whatever differs; `where` is `header` or `tensor 'name'`.
/// Source     https://huggingface.co/docs/safetensors, with what its reader lets by refused as well.
SafetensorsFile read_safetensors(const ByteSource& source);

}  // namespace causeway::formats::safetensors
