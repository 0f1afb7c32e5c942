#pragma once

#include <string_view>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/pytorch/state.h"

namespace causeway::formats::pytorch {

/// The kinds of file that hold PyTorch's numbers, told by content.
enum class Container { None, Safetensors, SafetensorsIndex, Archive, BeforeOnePointSix, Tar };
Container container_of(const ByteSource& source);
/// "safetensors" or "pytorch".
std::string_view format_of(Container container);

/// The numbers by name that a file holds, whatever its container; `key` as in ReadOptions.
///
/// Refused    a file that is none of these or broken; another layout than PyTorch's ('format' in a safetensors file's
///            metadata); a key where the file has no keys.
StateDictionary read_state(const ByteSource& source, std::string_view key = {});

}  // namespace causeway::formats::pytorch
