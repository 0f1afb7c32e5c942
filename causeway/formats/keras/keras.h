#pragma once

#include "causeway/formats/importer.h"

namespace causeway::formats::keras {

/// Reads .keras archives of Keras 3 and full-model .h5 files of Keras 2 and 3, Sequential and Functional.
///
/// Refused    every layer, setting and number that is not read, each at its place, all at once.
class KerasImporter : public Importer {
 public:
  std::string_view format() const override { return "keras"; }
  bool claims(const ByteSource& source) const override;
  SavedNetwork read(const ByteSource& source, const ReadOptions& options) const override;
};

}  // namespace causeway::formats::keras
