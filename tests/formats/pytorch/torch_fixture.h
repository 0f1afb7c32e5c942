#pragma once

#include <map>
#include <string>
#include <string_view>

#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/words.h"
#include "tests/support/files.h"

namespace causeway::tests {

/// The network that a fixture's words state.
inline SavedNetwork words_of(const std::string& name) {
  const std::string words = bytes_of(fixture(name + ".network.json"));
  return network_of_words(std::string_view(words), name);
}

/// The arrays of a safetensors fixture by name.
inline std::map<std::string, Tensor, std::less<>> stored_tensors(std::string_view path) {
  std::map<std::string, Tensor, std::less<>> tensors;
  const formats::safetensors::SafetensorsFile file =
      formats::safetensors::read_safetensors(formats::ByteSource::open(fixture(path)));
  for (const formats::safetensors::StoredTensor& tensor : file.tensors) tensors.emplace(tensor.name, tensor.tensor());
  return tensors;
}

}  // namespace causeway::tests
