#pragma once

#include "causeway/formats/importer.h"

namespace causeway::formats::pytorch {

/// Reads the numbers that PyTorch saved, in whatever container, into a copy of the network they belong to.
///
/// Refused    without a network; whatever the container or load() refuses; names wrapped as PyTorch wraps them, with the
///            way out.
class PytorchReader : public Importer {
 public:
  std::string_view format() const override { return "pytorch"; }
  bool claims(const ByteSource& source) const override;
  SavedNetwork read(const ByteSource& source, const ReadOptions& options) const override;
};

}  // namespace causeway::formats::pytorch
