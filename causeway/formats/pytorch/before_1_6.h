#pragma once

#include <string_view>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/pytorch/state.h"

namespace causeway::formats::pytorch {

/// Whether the bytes begin as a file of torch.save before 1.6 (or of one told to write it still).
bool claims_before_1_6(const ByteSource& source);

/// Reads such a file: pickles in a row (a magic number, a version, the machine's kind, the state, the storages' keys),
/// then each storage, its count in front.
StateDictionary read_before_1_6(const ByteSource& source, std::string_view key);

}  // namespace causeway::formats::pytorch
