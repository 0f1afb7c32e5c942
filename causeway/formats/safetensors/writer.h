#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "causeway/formats/safetensors/container.h"
#include "causeway/tensor/tensor.h"
#include "causeway/tensor/turn.h"

namespace causeway::formats::safetensors {

/// One tensor to be written: numbers as a slot holds them, and the turn that brings a file's to them, which is taken
/// backwards as the tensor is written, so that only one turned copy lives at a time.
struct WrittenTensor {
  std::string name;
  Tensor numbers;
  Turn turn;
};

/// How the tensors follow one another. Larger elements come first in both, so that each is aligned to its own size.
enum class TensorOrder {
  ByName,   ///< Those of one element size by name, as safetensors' own writer has them.
  AsGiven,  ///< Those of one element size in the order they are handed over.
};

struct SafetensorsLayout {
  size_t header_multiple = 8;  ///< The data begins at a multiple of it; 8 or 64.
  TensorOrder order = TensorOrder::ByName;
};

/// Writes one file, whole or not at all. The same metadata and tensors give the same bytes.
///
/// Refused    what cannot be written to that place, and a header longer than readers take.
void write_safetensors(const std::string& path, const Metadata& metadata, std::span<const WrittenTensor> tensors,
                       const SafetensorsLayout& layout = {});

}  // namespace causeway::formats::safetensors
