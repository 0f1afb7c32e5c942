#pragma once

#include <string_view>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/pytorch/state.h"

namespace causeway::formats::pytorch {

/// Whether a zip archive is one of PyTorch's: everything in one folder. Throws nothing.
bool claims_archive(const ByteSource& source);

/// Reads a torch.save archive: `data.pkl`, and a record for each storage, which is read when a tensor over it is.
///
/// Refused    what is no such archive (a TorchScript or torch.export archive by its name), and everything that differs
///            from how torch.save writes one.
StateDictionary read_archive(const ByteSource& source, std::string_view key);

}  // namespace causeway::formats::pytorch
