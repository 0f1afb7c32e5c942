#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/formats/safetensors/container.h"

namespace causeway::formats::native {

/// A tensor as the checksum sees it: its place behind the header.
struct Placed {
  std::string name;
  std::string_view dtype;
  std::vector<int64_t> lengths;
  uint64_t begin = 0, end = 0;
};

/// SHA-256, in hex, of a native file: the data; each tensor by name; each pair of metadata by key, the checksum's own left
/// out by the caller.
std::string checksum(std::span<const std::span<const std::byte>> data, std::vector<Placed> tensors,
                     safetensors::Metadata metadata);

}  // namespace causeway::formats::native
