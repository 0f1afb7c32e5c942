#include "causeway/formats/native/checksum.h"

#include <algorithm>

#include "causeway/base/sha256.h"

namespace causeway::formats::native {
namespace {

void add_text(Sha256& hash, std::string_view text) {
  hash.add_u64(text.size());
  hash.add(text);
}

}  // namespace

std::string checksum(std::span<const std::span<const std::byte>> data, std::vector<Placed> tensors,
                     safetensors::Metadata metadata) {
  Sha256 hash;
  for (const std::span<const std::byte> piece : data) hash.add(piece);
  std::sort(tensors.begin(), tensors.end(), [](const Placed& a, const Placed& b) { return a.name < b.name; });
  for (const Placed& tensor : tensors) {
    add_text(hash, tensor.name);
    add_text(hash, tensor.dtype);
    for (const int64_t length : tensor.lengths) hash.add_u64(static_cast<uint64_t>(length));
    hash.add_u64(tensor.begin);
    hash.add_u64(tensor.end);
  }
  std::sort(metadata.begin(), metadata.end());
  for (const auto& [key, value] : metadata) {
    add_text(hash, key);
    add_text(hash, value);
  }
  return hex(hash.finish());
}

}  // namespace causeway::formats::native
