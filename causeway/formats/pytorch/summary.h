#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/pytorch/state.h"

namespace causeway::formats::pytorch {

/// What a file of numbers by name holds, for people: no network is needed, and no number is read.
struct StateSummary {
  std::string format;                ///< "pytorch" or "safetensors".
  std::vector<StateTensor> tensors;  ///< Those under a key with the key before their names.
  std::vector<std::string> notes;    ///< The usual wrapping that is seen, a sentence each.
};

/// Refused    a broken file, as read_state() refuses it.
StateSummary summary_of(const ByteSource& source, std::string_view key = {});

}  // namespace causeway::formats::pytorch
